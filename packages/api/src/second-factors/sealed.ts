import type { ApiDeps } from '../http/deps.ts';
import { openFlow, sealFlow } from '../identity-providers/sealed-flow.ts';

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
export const LIFETIME_MS = { challenge: 5 * 60_000, enrolment: 10 * 60_000 } as const;

interface Contents {
  challenge: Challenge;
  enrolment: Enrolment;
}

export async function sealFor<P extends keyof Contents>(
  deps: ApiDeps,
  purpose: P,
  contents: Contents[P],
  now: Date,
): Promise<{ text: string; expires_at: string }> {
  const expiresAt = new Date(now.getTime() + LIFETIME_MS[purpose]);
  const text = await sealFlow(deps, { audience: PURPOSES[purpose], contents, expiresAt });
  return { text, expires_at: expiresAt.toISOString() };
}

/** Null for a text that the service has not made for this purpose, or that has expired. */
export function openFor<P extends keyof Contents>(
  deps: ApiDeps,
  purpose: P,
  text: string,
  now: Date,
): Promise<Contents[P] | null> {
  return openFlow<Contents[P]>(deps, { audience: PURPOSES[purpose], text, now });
}
