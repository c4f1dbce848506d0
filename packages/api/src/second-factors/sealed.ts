import { EncryptJWT, jwtDecrypt } from 'jose';
import type { ApiDeps } from '../http/deps.ts';
import { SEALED, SEALED_HEADER } from '../identity-providers/sealed-flow.ts';

/** A sign-in between the right password and the second factor. */
export interface Challenge {
  readonly id: string;
  readonly principalId: string;
  /** Of the hash of the password that was entered: a changed password ends the sign-in. */
  readonly password: string;
  /** What a security key signs. */
  readonly signed: string;
}

/** A second factor that is being added in a session. */
export interface Enrolment {
  readonly tokenId: string;
  /** Of an authenticator app, in base32. */
  readonly secret?: string;
  /** What a security key signs. */
  readonly signed?: string;
  /** Of the new second factor. */
  readonly id: string;
}

const PURPOSES = { challenge: 'svc_second_factor', enrolment: 'svc_second_factor_enrolment' } as const;
const LIFETIME_MS = { challenge: 5 * 60_000, enrolment: 10 * 60_000 } as const;

interface Contents {
  challenge: Challenge;
  enrolment: Enrolment;
}

/** Encrypts what the second request needs, so that any server can continue what another one started. */
export async function sealFor<P extends keyof Contents>(
  { keys }: ApiDeps,
  purpose: P,
  contents: Contents[P],
  now: Date,
): Promise<{ text: string; expires_at: string }> {
  const expiresAt = new Date(now.getTime() + LIFETIME_MS[purpose]);
  const text = await new EncryptJWT({ ...contents })
    .setProtectedHeader(SEALED_HEADER)
    .setAudience(PURPOSES[purpose])
    .setExpirationTime(expiresAt)
    .encrypt(keys.signIn);
  return { text, expires_at: expiresAt.toISOString() };
}

/** Null for a text that the service has not made for this purpose, or that has expired. */
export async function openFor<P extends keyof Contents>(
  { keys }: ApiDeps,
  purpose: P,
  text: string,
  now: Date,
): Promise<Contents[P] | null> {
  const options = { ...SEALED, audience: PURPOSES[purpose], currentDate: now };
  return jwtDecrypt<Contents[P]>(text, keys.signIn, options).then(
    ({ payload }) => payload,
    () => null,
  );
}
