/** Characters that JSON writes as escapes and PostgreSQL cannot hold: NUL, and surrogates that stand alone. */
const UNSTORABLE = /\\(?:u(0000|d[89a-f][0-9a-f]{2})|.)/gi;

/**
 * The JSON text of a value, as PostgreSQL takes it for `jsonb`: what it cannot hold in a text becomes U+FFFD. Texts of
 * requests hold none of it; what a program printed, a file held or an engine said may.
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes('\\u') ? text.replace(UNSTORABLE, (written, code) => (code ? '\ufffd' : written)) : text;
}
