/** Files in which tools store secrets and keys. */
const SECRET_NAMES: readonly [RegExp, string][] = [
  [/^\.env(?:[^a-z].*|rc.*|)$/i, 'contains settings and secrets of one machine'],
  [/\.(?:p12|pfx|jks|keystore|ppk)$/i, 'is a store of private keys'],
];

/** Examples of settings, which projects commit but don't need in a deploy. */
const EXAMPLE = /^\.env[.-](?:example|sample|template|dist)$/i;

/** PEM and OpenSSH keys, also inside JSON, where line breaks are escaped. The header alone is not a key. */
const PRIVATE_KEY =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:\\[nr]|\s){1,8}(?:[A-Za-z0-9+/=]{16}|Proc-Type:|Version:|Comment:)/;
const MARK = 'PRIVATE KEY';
/** Number of characters around the mark that are searched for a key. */
const CONTEXT_BYTES = { before: 64, after: 128 };

/** Whether a file is an example that is not sent. */
export const isExample = (name: string): boolean => EXAMPLE.test(name);

/** Why a file must not be sent, as the end of a sentence about it; null if it may be sent. */
export function describeSecret(name: string, bytes: Buffer): string | null {
  for (const [pattern, reason] of SECRET_NAMES) if (pattern.test(name)) return reason;
  for (let at = bytes.indexOf(MARK); at >= 0; at = bytes.indexOf(MARK, at + MARK.length)) {
    const context = bytes.toString('latin1', Math.max(0, at - CONTEXT_BYTES.before), at + CONTEXT_BYTES.after);
    if (PRIVATE_KEY.test(context)) return 'contains a private key';
  }
  return null;
}
