import { timingSafeEqual } from 'node:crypto';
import { hashToken } from '../access/hash-token.ts';

/** Whether an `Authorization` header has the token that the operator set for metrics; true if none is set. */
export function hasBearerToken(token: string | undefined, authorization: string | undefined): boolean {
  if (token === undefined) return true;
  const sent = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  // Hashes have equal lengths, and are compared in constant time.
  return sent !== undefined && timingSafeEqual(hashToken(sent), hashToken(token));
}
