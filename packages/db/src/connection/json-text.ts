/** Characters that JSON escapes and Postgres can't store: NUL and lone surrogates. */
const UNSTORABLE = /\\(?:u(0000|d[89a-f][0-9a-f]{2})|.)/gi;

/**
 * Serializes a value for a `jsonb` column and replaces characters that Postgres can't store with U+FFFD. Request texts
 * contain none, but program output, files and engine messages may.
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes('\\u') ? text.replace(UNSTORABLE, (written, code) => (code ? '\ufffd' : written)) : text;
}
