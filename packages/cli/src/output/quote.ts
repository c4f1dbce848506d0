/** A word as a shell takes it back. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./*-]+$/.test(word) && !word.includes('*') ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

export function commandLine(words: readonly string[]): string {
  return words.map(quoted).join(' ');
}
