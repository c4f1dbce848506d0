/** A word as a shell takes it back. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./*-]+$/.test(word) && !word.includes('*') ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

export function commandLine(words: readonly string[]): string {
  return words.map(quoted).join(' ');
}

/** `--flag value`; a value that begins with "-" would be taken for an option. */
export const option = (flag: string, value: string): string =>
  value.startsWith('-') ? `--${flag}=${quoted(value)}` : `--${flag} ${quoted(value)}`;

/** A command with the name of what it is about; one that begins with "-" stands last, where it is no option. */
export function named(verb: string, name: string, ...options: string[]): string {
  const words = name.startsWith('-') ? [...options, '--', quoted(name)] : [quoted(name), ...options];
  return [verb, ...words].join(' ');
}
