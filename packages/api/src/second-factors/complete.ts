import { ApiError } from '@svc/core/errors';
import { type SecondFactorAnswer, secondFactorEndpoints } from '@svc/core/second-factors';
import { findPrincipalById } from '@svc/db/access';
import { inTransaction } from '@svc/db/connection';
import type { Request, RequestHandler } from 'express';
import { sendBrowserSession } from '../access/browser-session.ts';
import {
  lockUnchanged,
  type OpenedSession,
  readSignIn,
  requirePasswords,
  SESSION_MS,
  sendToken,
  storeSession,
} from '../access/sign-in.ts';
import {
  countAttempt,
  isFirstUse,
  limitsOf,
  type PasswordAttempt,
  recordFailure,
  resetAttempts,
} from '../access/sign-in-attempts.ts';
import type { ApiDeps } from '../http/deps.ts';
import { BROWSER_SESSION } from '../http/guard/session-lifetime.ts';
import { clientAddress } from '../http/request/client-address.ts';
import { requestIdOf } from '../http/request/request-id.ts';
import { passwordMark } from './challenge.ts';
import { checkAnswer } from './check-answer.ts';
import { LIFETIME_MS, openFor } from './sealed.ts';

/** Completes a sign-in without a browser. */
export function completeSignIn(deps: ApiDeps): RequestHandler {
  return async (req, res) => sendToken(res, await completedSession(deps, req, requestIdOf(res), SESSION_MS));
}

/** Completes the sign-in of a browser. */
export function completeBrowserSession(deps: ApiDeps): RequestHandler {
  return async (req, res) => {
    const opened = await completedSession(deps, req, requestIdOf(res), BROWSER_SESSION.idleMs);
    await sendBrowserSession(deps, req, res, opened);
  };
}

const failed = () =>
  new ApiError(
    'second-factor-failed',
    'The second factor is wrong or was used before, or the sign-in took longer than five minutes. Sign in again.',
  );

/** Counts like an attempt with a password, so that knowing the password doesn't allow more guesses (FACTOR-5). */
async function completedSession(
  deps: ApiDeps,
  req: Request,
  requestId: string,
  lifetimeMs: number,
): Promise<OpenedSession> {
  requirePasswords(deps);
  const answer = await readSignIn<SecondFactorAnswer>(req, secondFactorEndpoints.completeSignIn.body);
  const now = deps.clock();
  const challenge = await openFor(deps, 'challenge', answer.challenge, now);
  const principal = challenge === null ? null : await findPrincipalById(deps.db.prisma, challenge.principalId);
  if (challenge === null || principal === null) throw failed();
  const attempt: PasswordAttempt = { deps, name: principal.name, address: clientAddress(req), requestId, now };
  const until = new Date(now.getTime() + LIFETIME_MS.challenge);
  const limits = await limitsOf(attempt);
  await countAttempt(attempt, limits);
  const session = await inTransaction(deps.db, async (tx) => {
    // What has changed since the password was entered counts.
    const person = await lockUnchanged(tx, principal);
    if (person === null || passwordMark(person) !== challenge.password) return null;
    const used = await checkAnswer(tx, { deps, req, now, challenge }, answer);
    if (used === null || !(await isFirstUse(tx, { what: `challenge ${challenge.id}`, now, until }))) return null;
    await resetAttempts(tx, attempt, limits);
    return storeSession(tx, { ...attempt, principal: person, lifetimeMs, signIn: 'second-factor', used });
  });
  if (session !== null) return session;
  await recordFailure(attempt, false, { reason: 'second-factor', name: principal.name });
  throw failed();
}
