/** Prefix of each kind of token. Only the SHA-256 of a token is stored (ACCESS-24). */
export const TOKEN_PREFIX = {
  personal: 'svc_pat_',
  'service-account': 'svc_sat_',
  task: 'svc_task_',
  session: 'svc_ses_',
} as const;
export type TokenKind = keyof typeof TOKEN_PREFIX;

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 30;
const CHECK_LENGTH = 6;

function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i);
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let out = '';
  for (let i = 0; i < CHECK_LENGTH; i++) {
    out = BASE62[rest % 62]! + out;
    rest = Math.floor(rest / 62);
  }
  return out;
}

/** Generates a token: prefix, 30 base62 characters, 6 characters of CRC32. `random` must be cryptographic. */
export function makeTokenText(kind: TokenKind, random: (bytes: number) => Uint8Array): string {
  let secret = '';
  while (secret.length < RANDOM_LENGTH) {
    // 248 is the largest multiple of 62 below 256; rejecting bytes from 248 up keeps the characters uniformly
    // distributed.
    for (const byte of random(RANDOM_LENGTH)) {
      if (byte < 248 && secret.length < RANDOM_LENGTH) secret += BASE62[byte % 62];
    }
  }
  return `${TOKEN_PREFIX[kind]}${secret}${checksum(secret)}`;
}

/** Whether a text has the form and checksum of a token. Rejects a mistyped token without a database query. */
export function isTokenText(text: string): boolean {
  const match = /^svc_(?:pat|sat|task|ses)_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/.exec(text);
  return match !== null && checksum(match[1]!) === match[2];
}
