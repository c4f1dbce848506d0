import { ApiError } from '@svc/core/errors';
import { CONFIRMED_MINUTES } from '@svc/core/second-factors';
import { hasSecondFactor } from '@svc/db/second-factors';
import type { Context } from '../http/context.ts';

/**
 * Second factors change only in a session in which the person has just signed in or entered the password, and with a second factor once
 * there is one (FACTOR-7): a stolen token or an unattended browser can't take over the account.
 */
export async function requireConfirmed(ctx: Context): Promise<void> {
  await requireOwnFactor(ctx);
  const { token } = ctx.caller;
  const since = ctx.now.getTime() - (token.confirmed_at ?? token.created_at).getTime();
  if (since > CONFIRMED_MINUTES * 60_000)
    throw refused('You signed in more than ten minutes ago. Enter your password again, or sign in again: svc login');
}

/** @throws ApiError `confirmation-required` unless the session was opened with a second factor, once there is one */
export async function requireOwnFactor({ caller: { token, id }, db }: Context): Promise<void> {
  const needsFactor = token.sign_in !== 'second-factor' && token.sign_in !== 'provider';
  if (token.kind !== 'session' || (needsFactor && (await hasSecondFactor(db, id))))
    throw refused('Second factors can only be changed in a session. Sign in again: svc login');
}

const refused = (detail: string) => new ApiError('confirmation-required', detail, { remedy: 'svc login' });
