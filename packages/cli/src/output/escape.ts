// Control characters and those that reverse or break a line: names and texts of other people appear on terminals.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const SHORT: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escapeOne = (char: string) => SHORT[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Escapes control characters, including line breaks. */
export function escaped(text: string): string {
  return text.replace(UNSAFE, escapeOne);
}

/** Escapes control characters except line breaks. */
export function escapedLines(text: string): string {
  return text.split(/\r?\n/).map(escaped).join('\n');
}

/** JSON without raw control characters, except the line breaks of the indentation. JSON has the same escapes. */
export function jsonText(value: unknown, indent = 2): string {
  return escapedLines(JSON.stringify(value, null, indent));
}
