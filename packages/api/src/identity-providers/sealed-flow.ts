import { EncryptJWT, type JWTDecryptOptions, jwtDecrypt } from 'jose';
import type { ApiDeps } from '../http/deps.ts';

/** How what a started sign-in must remember is encrypted: with the key itself, and authenticated. */
const HEADER = { alg: 'dir', enc: 'A256GCM' } as const;

/** Nothing that is encrypted another way, or never expires, is accepted. */
const SEALED = {
  keyManagementAlgorithms: [HEADER.alg],
  contentEncryptionAlgorithms: [HEADER.enc],
  requiredClaims: ['exp'],
} satisfies JWTDecryptOptions;

/** Encrypts what a later request needs, so that any server can continue what another one started. */
export function sealFlow(
  { keys }: ApiDeps,
  { audience, contents, expiresAt }: { audience: string; contents: object; expiresAt: Date },
): Promise<string> {
  return new EncryptJWT({ ...contents })
    .setProtectedHeader(HEADER)
    .setAudience(audience)
    .setExpirationTime(expiresAt)
    .encrypt(keys.signIn);
}

/** Null for a text that the service has not made for this audience, or that has expired. */
export function openFlow<T>(
  { keys }: ApiDeps,
  { audience, text, now }: { audience: string; text: string; now: Date },
): Promise<T | null> {
  return jwtDecrypt<T>(text, keys.signIn, { ...SEALED, audience, currentDate: now }).then(
    ({ payload }) => payload,
    () => null,
  );
}
