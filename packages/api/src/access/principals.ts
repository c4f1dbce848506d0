import { accessEndpoints as endpoints, INSTANCE } from '@svc/core/access';
import { shellCommand } from '@svc/core/command-lines';
import { type ApiError, invalid } from '@svc/core/errors';
import {
  createPrincipal,
  deletePrincipal,
  findPrincipal,
  type Lock,
  listPrincipals,
  lockPrincipal,
  principalRecord,
  requireAdminLeft,
  revokeSessions,
  type StoredPrincipal,
  scopeFields,
  updatePrincipal,
} from '@svc/db/access';
import type { Transaction } from '@svc/db/connection';
import { skipDueTimes } from '@svc/db/jobs';
import { stopWork } from '@svc/db/leases';
import type { Position } from '@svc/db/paging';
import type { Context } from '../http/context.ts';
import { positionOf } from '../http/response/position.ts';
import { notFound } from '../http/response/shared-errors.ts';
import { PageResponse, type Route, route } from '../http/route.ts';
import { endPoliciesFor } from '../policies/policy-events.ts';
import { auditRevoked } from './grant-events.ts';
import { hashNewPassword } from './passwords.ts';

/** The principal of that name, unless deleted; `lock` locks it for a change. @throws ApiError `not-found` */
export async function requirePrincipal(client: Transaction, name: string, lock?: Lock): Promise<StoredPrincipal> {
  const principal = await (lock === undefined ? findPrincipal(client, name) : lockPrincipal(client, name, lock));
  if (principal === null) throw notFound('principal', name);
  return principal;
}

const me = route(endpoints.me, async ({ caller }) => {
  const { id, name, type, created_at, token } = caller;
  return {
    id,
    name,
    type,
    active: true,
    created_at: created_at.toISOString(),
    token: {
      id: token.id,
      name: token.name,
      kind: token.kind,
      expires_at: token.expires_at?.toISOString() ?? null,
      ...scopeFields(token.scope),
    },
  };
});

function noPassword(name: string): ApiError {
  const issue = `${shellCommand('svc token issue', name, [])} NAME`;
  return invalid({ pointer: '/password' }, `a service account has no password; issue a token instead: ${issue}`, issue);
}

const create = route(endpoints.createPrincipal, async (ctx) => {
  const { name, type, password } = ctx.body;
  if (password !== undefined && type !== 'person') throw noPassword(name);
  const id = ctx.deps.newId();
  const passwordHash = password === undefined ? null : await hashNewPassword(password, name);
  // Administrators can sign in as others anyway.
  const mustChangePassword = password !== undefined && !ctx.decide('MANAGE_TOKEN', INSTANCE).allowed;
  const principal = await createPrincipal(ctx.db, {
    id,
    name,
    type,
    passwordHash,
    mustChangePassword,
    createdBy: ctx.caller.id,
    now: ctx.now,
  });
  const detail = { principal_id: id, name, type, ...(mustChangePassword && { must_change_password: true }) };
  await ctx.audit({ type: 'PRINCIPAL_CREATED', detail });
  return principal;
});

const list = route(endpoints.listPrincipals, async (ctx) => {
  const page = { limit: ctx.query.limit, after: positionOf(ctx.position<Position>()) };
  const { items, next } = await listPrincipals(ctx.db, { search: ctx.query.q ?? '', page });
  return new PageResponse(items, next);
});

const get = route(endpoints.getPrincipal, async (ctx) =>
  principalRecord(await requirePrincipal(ctx.db, ctx.params.name)),
);

const update = route(endpoints.updatePrincipal, async (ctx) => {
  const principal = await requirePrincipal(ctx.db, ctx.params.name, 'update');
  const { active, password } = ctx.body;
  if (password != null && principal.type !== 'person') throw noPassword(principal.name);
  // A password allows to sign in, so this needs the same action as issuing a token (ACCESS-37).
  if (password !== undefined && (principal.id !== ctx.caller.id || ctx.tokenScope !== null))
    ctx.require('MANAGE_TOKEN', INSTANCE);
  const passwordHash = password == null ? password : await hashNewPassword(password, principal.name);
  const changed = await updatePrincipal(ctx.db, { id: principal.id, active, passwordHash, now: ctx.now });
  if (password !== undefined)
    await revokeSessions(ctx.db, {
      principalId: principal.id,
      except: ctx.caller.token.id,
      by: ctx.caller.id,
      now: ctx.now,
    });
  const deactivated = active === false && principal.active;
  if (deactivated) await stopDeactivated(ctx, principal.id);
  if (active === true && !principal.active) await skipDueTimes(ctx.db, { runAs: principal.id, now: ctx.now });
  const detail = {
    principal_id: principal.id,
    name: principal.name,
    changed: Object.keys(ctx.body),
    active: changed.active,
  };
  await ctx.audit({ type: 'PRINCIPAL_UPDATED', detail });
  return principalRecord(changed);
});

/**
 * What follows from deactivating a principal: its queued and running work, which it is no longer permitted to do, is cancelled
 * (`ACCESS-22`). Its tokens don't work, which each request checks. Its sessions end, so that none that was stolen works again with them.
 */
export async function stopDeactivated({ db, caller, now }: Context, principalId: string): Promise<void> {
  await requireAdminLeft(db);
  await revokeSessions(db, { principalId, except: null, by: caller.id, now });
  await stopWork(db, { of: { principalId }, now });
}

/** Deletes a principal that is locked, and records it; the event has `detail`, too. */
export async function deleteLockedPrincipal(
  ctx: Context,
  { id, name }: Pick<StoredPrincipal, 'id' | 'name'>,
  detail: object = {},
): Promise<void> {
  const revoked = await deletePrincipal(ctx.db, { principalId: id, by: ctx.caller.id, now: ctx.now });
  await stopDeactivated(ctx, id);
  await auditRevoked(ctx, revoked);
  await endPoliciesFor(ctx, { principalId: id });
  await ctx.audit({ type: 'PRINCIPAL_DELETED', detail: { principal_id: id, name, ...detail } });
}

const remove = route(endpoints.deletePrincipal, async (ctx) => {
  await deleteLockedPrincipal(ctx, await requirePrincipal(ctx.db, ctx.params.name, 'update'));
  return undefined;
});

export const principalRoutes: Route[] = [me, create, list, get, update, remove];
