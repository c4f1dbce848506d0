import { type IdentityClaims, REFUSAL_REASONS, type SignInFailure } from '@svc/core/identity-providers';
import { inTransaction } from '@svc/db/connection';
import { findProvider, type StoredProvider } from '@svc/db/identity-providers';
import type { Request } from 'express';
import { type OpenedSession, storeSession } from '../access/sign-in.ts';
import {
  countAttempt,
  limitsOfProviders,
  type ProviderAttempt,
  recordFailure,
  takeBackAttempt,
} from '../access/sign-in-attempts.ts';
import type { ApiDeps } from '../http/deps.ts';
import { clientAddress } from '../http/request/client-address.ts';
import { admitPerson } from './admit-person.ts';
import { RefusedSignInError } from './refused-sign-in.ts';

/** An attempt to sign in with the provider of that name, which needn't exist. */
export async function providerAttempt(
  deps: ApiDeps,
  req: Request,
  requestId: string,
  name: string,
): Promise<ProviderAttempt> {
  const provider = (await findProvider(deps.db.prisma, name))?.name ?? null;
  return { deps, address: clientAddress(req), requestId, now: deps.clock(), name: null, provider };
}

/** @throws RefusedSignInError */
export async function activeProvider({ db }: ApiDeps, name: string | null): Promise<StoredProvider> {
  const provider = name === null ? null : await findProvider(db.prisma, name);
  if (provider?.active) return provider;
  throw new RefusedSignInError('unknown-provider');
}

/**
 * Does something that counts as a failed sign-in until it succeeds, so that nobody can fill the audit log with failures or keep
 * providers busy. @throws ApiError `too-many-requests`
 */
export async function limited<T>(attempt: ProviderAttempt, act: () => Promise<T>): Promise<T> {
  const limits = limitsOfProviders(attempt);
  await countAttempt(attempt, limits);
  const result = await act();
  await takeBackAttempt(attempt.deps.db.prisma, limits);
  return result;
}

/** Opens a session for the person whom the identity belongs to. @throws RefusedSignInError */
export function openProviderSession(
  attempt: ProviderAttempt,
  { lifetimeMs, ...identity }: { providerId: string; claims: IdentityClaims; lifetimeMs: number },
): Promise<OpenedSession> {
  return inTransaction(attempt.deps.db, async (tx) => {
    const { person, provider } = await admitPerson(tx, { ...attempt, ...identity });
    return storeSession(tx, { ...attempt, principal: person, lifetimeMs, signIn: 'provider', provider: provider.name });
  });
}

/** Records why a sign-in failed. Returns what the person may know about it. @throws other errors */
export async function recordedFailure(attempt: ProviderAttempt, error: unknown): Promise<SignInFailure> {
  if (!(error instanceof RefusedSignInError)) throw error;
  const { reason, principal } = error;
  const { deps, requestId, provider } = attempt;
  deps.log.warn({ err: error, requestId, provider, reason }, 'a sign-in with an identity provider failed');
  await recordFailure(attempt, false, { reason, name: principal });
  return REFUSAL_REASONS[reason];
}
