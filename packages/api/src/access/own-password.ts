import { accessEndpoints as endpoints } from '@svc/core/access';
import { shellCommand } from '@svc/core/command-lines';
import { invalid } from '@svc/core/errors';
import { revokeSessions, updatePrincipal } from '@svc/db/access';
import { inTransaction } from '@svc/db/connection';
import type { Context } from '../http/context.ts';
import { clientAddress } from '../http/request/client-address.ts';
import { type Route, routeWithoutTransaction } from '../http/route.ts';
import { hashNewPassword, verifyPassword } from './passwords.ts';
import { requirePrincipal } from './principals.ts';
import { lockUnchanged, requirePasswords } from './sign-in.ts';
import {
  countAttempt,
  limitsOfSession,
  type PasswordAttempt,
  recordFailure,
  resetSessionAttempts,
} from './sign-in-attempts.ts';

/**
 * Changes the caller's own password, which requires the current one: someone who finds an open session can't take over
 * the account, nor guess the password faster than through the sign-in.
 */
const change = routeWithoutTransaction(
  endpoints.changePassword,
  async (ctx) => {
    const { caller, now } = ctx;
    const { current_password, password } = ctx.body;
    return withOwnPassword(ctx as Context, current_password, async () => {
      if (caller.must_change_password && password === current_password)
        throw invalid({ pointer: '/password' }, 'is the password that somebody else has chosen; choose another one');
      const passwordHash = await hashNewPassword(password, caller.name);
      await updatePrincipal(ctx.db, { id: caller.id, passwordHash, now });
      await revokeSessions(ctx.db, { principalId: caller.id, except: caller.token.id, by: caller.id, now });
      const detail = { principal_id: caller.id, name: caller.name, changed: ['password'], active: true };
      await ctx.audit({ type: 'PRINCIPAL_UPDATED', detail });
    });
  },
  { needsNoTransaction: () => true },
);

/**
 * Makes a change in a transaction of its own, with the caller locked, if the password is the caller's. It is checked before the
 * transaction: a check within it would need a second connection to count a wrong one, and concurrent requests would wait for each other's.
 *
 * @throws ApiError
 */
export async function withOwnPassword(ctx: Context, password: string, change: () => Promise<void>): Promise<undefined> {
  const { caller, deps, now, requestId } = ctx;
  requirePasswords(deps);
  if (caller.type !== 'person') {
    const remedy = `${shellCommand('svc token issue', caller.name, [])} NAME`;
    throw invalid({ pointer: '/password' }, `a service account has no password; issue a token instead: ${remedy}`);
  }
  const principal = await requirePrincipal(ctx.db, caller.name);
  const attempt: PasswordAttempt = { deps, name: caller.name, address: clientAddress(ctx.req), requestId, now };
  const limits = limitsOfSession(attempt, caller);
  await countAttempt(attempt, limits);
  if (!(await verifyPassword(principal.password_hash, password))) {
    await recordFailure(attempt, false);
    throw wrong();
  }
  await resetSessionAttempts(deps.db.prisma, limits);
  await inTransaction(deps.db, async (tx) => {
    ctx.db = tx;
    if ((await lockUnchanged(tx, principal, 'update')) === null) throw wrong();
    await change();
  }).finally(() => {
    ctx.db = deps.db.prisma;
  });
  return undefined;
}

const wrong = () =>
  invalid({ pointer: '/current_password' }, 'is not your password; an administrator can set a new one');

export const ownPasswordRoutes: Route[] = [change];
