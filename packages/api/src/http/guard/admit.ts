import type { Caller } from '@svc/db/access';
import type { Request, Response } from 'express';
import type { ApiDeps } from '../deps.ts';
import { noteTokenUse } from './token-use.ts';

const WARN_MS = 7 * 86_400_000;

/**
 * Counts a request of an authenticated caller and records it as a use of its token (TOKEN-2). The response warns of a token that
 * expires soon (TOKEN-3).
 *
 * @throws ApiError `too-many-requests`
 */
export function admit(
  deps: ApiDeps,
  req: Request,
  res: Response,
  { caller, now }: { caller: Caller; now: Date },
): void {
  const { token } = caller;
  deps.limiter.consume(token.id, now);
  // Task tokens belong to programs that the service started, and live for minutes.
  if (token.kind !== 'task') noteTokenUse(deps.tokenUses, token.id, req, now);
  if (expiresSoon(token, now)) res.setHeader('Svc-Token-Expires', token.expires_at!.toISOString());
}

/** Sessions, and tokens that were issued for a short time, are expected to expire. */
function expiresSoon({ kind, created_at, expires_at }: Caller['token'], now: Date): boolean {
  if (expires_at === null || kind === 'session' || kind === 'task') return false;
  const isLong = expires_at.getTime() - created_at.getTime() > WARN_MS;
  return isLong && expires_at.getTime() - now.getTime() <= WARN_MS;
}
