// Control characters, and those that turn or break the line: names and texts of others are shown on terminals.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const SHORT: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escapeOne = (char: string) => SHORT[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The text with control characters written as escapes, on one line. */
export function escaped(text: string): string {
  return text.replace(UNSAFE, escapeOne);
}

/** The same, keeping its line breaks. */
export function escapedLines(text: string): string {
  return text.split(/\r?\n/).map(escaped).join('\n');
}

/** JSON that holds no raw control character either. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, escapeOne);
}
