import { createHash } from 'node:crypto';

/** Hashes a token with SHA-256; only the hash is stored (ACCESS-24). */
export function hashToken(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}
