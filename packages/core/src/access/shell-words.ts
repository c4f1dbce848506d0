/** Quotes a name for a shell only if needed. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** `--flag value`, or `--flag=value` if the value starts with "-" and would be parsed as an option. */
export function shellOption(flag: string, value: string): string {
  return value.startsWith('-') ? `--${flag}=${shellWord(value)}` : `--${flag} ${shellWord(value)}`;
}

/** A command with its positional name; a name that starts with "-" goes last, where it can't be parsed as an option. */
export function shellCommand(verb: string, name: string, options: readonly string[]): string {
  const words = name.startsWith('-') ? [...options, '--', shellWord(name)] : [shellWord(name), ...options];
  return [verb, ...words].join(' ');
}
