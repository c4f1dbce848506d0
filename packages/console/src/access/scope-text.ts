interface Scope {
  readonly environments: readonly string[] | null;
  readonly actions: readonly string[] | null;
}

/** What a token carries at most. Null limits nothing. A list is empty if its environments were deleted since. */
export function scopeText({ environments, actions }: Scope): string {
  const parts = [
    actions?.join(', '),
    environments === null ? undefined : `in ${environments.join(', ') || 'no environment'}`,
  ];
  return parts.filter((part) => part !== undefined).join(' ') || 'everything';
}
