import type { JWTDecryptOptions } from 'jose';

/** How what a started sign-in must remember is encrypted: with the key itself, and authenticated. */
export const SEALED_HEADER = { alg: 'dir', enc: 'A256GCM' } as const;

/** Nothing that is encrypted another way, or never expires, is accepted. */
export const SEALED = {
  keyManagementAlgorithms: [SEALED_HEADER.alg],
  contentEncryptionAlgorithms: [SEALED_HEADER.enc],
  requiredClaims: ['exp'],
} satisfies JWTDecryptOptions;
