import { createHash } from 'node:crypto';

/** What is stored of a token: SHA-256 of its text. */
export function hashToken(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}
