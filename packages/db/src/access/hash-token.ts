import { hash } from 'node:crypto';

/** Hashes a token with SHA-256; only the hash is stored (ACCESS-24). */
export function hashToken(text: string): Uint8Array {
  return hash('sha256', text, 'buffer');
}
