import { ApiError } from '@svc/core/errors';
import type { StoredPrincipal } from '@svc/db/access';
import { countRecoveryCodes, listSecondFactors, type StoredSecondFactor } from '@svc/db/second-factors';
import type { Request } from 'express';
import type { ApiDeps } from '../http/deps.ts';
import { sha256 } from '../http/keys.ts';
import { sealFor } from './sealed.ts';
import { requestOptions } from './security-keys.ts';

/** Distinguishes passwords without revealing anything of them. */
export const passwordMark = ({ password_hash }: Pick<StoredPrincipal, 'password_hash'>): string =>
  sha256(password_hash ?? '').toString('base64url');

export const credentialsOf = (factors: readonly StoredSecondFactor[]) =>
  factors.flatMap((factor) => (factor.kind === 'security-key' ? [factor.credential] : []));

/** What a person with second factors continues the sign-in with; null for a person without. */
export async function secondFactorRequired(
  deps: ApiDeps,
  req: Request,
  principal: StoredPrincipal,
  now: Date,
): Promise<ApiError | null> {
  const { prisma } = deps.db;
  const factors = await listSecondFactors(prisma, principal.id);
  if (factors.length === 0) return null;
  const signed = Buffer.from(deps.random(32)).toString('base64url');
  const challenge = { id: deps.newId(), principalId: principal.id, password: passwordMark(principal), signed };
  const { text, expires_at } = await sealFor(deps, 'challenge', challenge, now);
  const options = await requestOptions(deps, req, { known: credentialsOf(factors), signed });
  const methods = [
    ...(factors.some(({ kind }) => kind === 'totp') ? (['code'] as const) : []),
    ...(options === null ? [] : (['assertion'] as const)),
    ...((await countRecoveryCodes(prisma, principal.id)) > 0 ? (['recovery_code'] as const) : []),
  ];
  return new ApiError('second-factor-required', 'The sign-in needs a second factor. Send it within five minutes.', {
    secondFactor: { challenge: text, expires_at, methods, options },
  });
}
