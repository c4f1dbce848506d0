import { createHash, timingSafeEqual } from 'node:crypto';

const sha256 = (text: string) => createHash('sha256').update(text).digest();

/** Whether an `Authorization` header has the token that the operator set for metrics; true if none is set. */
export function hasBearerToken(token: string | undefined, authorization: string | undefined): boolean {
  if (token === undefined) return true;
  const sent = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  // Hashes have equal lengths, and are compared in constant time.
  return sent !== undefined && timingSafeEqual(sha256(sent), sha256(token));
}
