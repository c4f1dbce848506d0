/** Quotes a name for a shell only where it needs it. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** `--flag value`; a value that begins with "-" would be taken for an option. */
export function shellOption(flag: string, value: string): string {
  return value.startsWith('-') ? `--${flag}=${shellWord(value)}` : `--${flag} ${shellWord(value)}`;
}

/** A command with the name of what it is about; one that begins with "-" stands last, where it is no option. */
export function shellCommand(verb: string, name: string, options: readonly string[]): string {
  const words = name.startsWith('-') ? [...options, '--', shellWord(name)] : [shellWord(name), ...options];
  return [verb, ...words].join(' ');
}
