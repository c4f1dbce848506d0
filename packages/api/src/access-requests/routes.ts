import {
  type Action,
  ADMIN_ONLY,
  covers,
  grantsAction,
  nameKey,
  type ObjectNames,
  type ObjectScope,
  type Role,
  scopeOf,
  scopeText,
} from '@svc/core/access';
import { accessRequestEndpoints as endpoints, REQUEST_STATES } from '@svc/core/access-requests';
import { ApiError, invalid } from '@svc/core/errors';
import { isUuid } from '@svc/core/ids';
import { findGrant, findPrincipal, lockPrincipal } from '@svc/db/access';
import {
  accessRequestRecord,
  countPending,
  createAccessRequest,
  decideAccessRequest,
  findAccessRequest,
  listAccessRequests,
  type StoredAccessRequest,
} from '@svc/db/access-requests';
import type { Position } from '@svc/db/paging';
import { addGrant, readExpiry, readRight, resolveObject } from '../access/index.ts';
import type { Context } from '../http/context.ts';
import { positionOf } from '../http/response/position.ts';
import { notFound } from '../http/response/shared-errors.ts';
import { PageResponse, type Route, route } from '../http/route.ts';

/** Pending requests of one principal. */
const MAX_PENDING = 100;

/** What is requested, as one text: the same request has the same text in every letter case of the names. */
function wantedText(right: string, { environment, namespace, table, service_account }: ObjectScope): string {
  const names = [namespace, table].map((name) => (name === null ? null : nameKey(name)));
  return JSON.stringify([right, environment, ...names, ...(service_account === undefined ? [] : [service_account])]);
}

/** The object as the body names it. Whether it exists must not matter to a requester who can't see it. */
function objectOf(names: ObjectNames): ObjectScope {
  if (names.namespace !== undefined && names.environment === undefined)
    throw invalid({ pointer: '/environment' }, 'is required with namespace');
  if (names.table !== undefined && names.namespace === undefined)
    throw invalid({ pointer: '/namespace' }, 'is required with table');
  if (names.service_account !== undefined && names.environment !== undefined)
    throw invalid({ pointer: '/service_account' }, 'cannot be combined with environment');
  return scopeOf(names);
}

/** @throws ApiError `duplicate-grant` if the caller has what it requests, for as long as it requests it */
async function requireMissing(
  ctx: Context,
  request: { role: Role | null; action: Action | null; object: ObjectScope; expiresAt: Date | null },
): Promise<void> {
  const { role, action, object, expiresAt } = request;
  const grants = (await ctx.listGrants(null)).filter(({ scope }) => covers(scope, object));
  for (const one of grants.filter((grant) => (action === null ? grant.role === role : grantsAction(grant, action)))) {
    const until = (await findGrant(ctx.db, one.grant_id, ctx.now))?.expires_at ?? null;
    if (until !== null && (expiresAt === null || new Date(until) < expiresAt)) continue;
    throw new ApiError(
      'duplicate-grant',
      `Grant ${one.grant_id} already allows ${role ?? action} on ${scopeText(object)}. Nothing to do.`,
    );
  }
}

const create = route(endpoints.create, async (ctx) => {
  const { body, caller } = ctx;
  const object = objectOf(body);
  const { role, action } = readRight({ ...body, principal: caller.name }, object.kind);
  if (action !== null && ADMIN_ONLY.includes(action))
    throw invalid({ pointer: '/action' }, `${action} needs the ADMIN role on the instance; request that role`);
  const expiresAt = readExpiry(ctx, body.expires_at);
  // Locked against its deletion, and so that concurrent requests are counted one after the other.
  await lockPrincipal(ctx.db, caller.name, 'update');
  await requireMissing(ctx, { role, action, object, expiresAt });
  if ((await countPending(ctx.db, { principalId: caller.id, limit: MAX_PENDING })) === MAX_PENDING)
    throw new ApiError('limit-reached', `You have ${MAX_PENDING} pending requests. Withdraw some first.`);
  const id = ctx.deps.newId();
  const wanted = wantedText((role ?? action)!, object);
  const { reason } = body;
  const request = { id, principalId: caller.id, role, action, object, wanted, reason, expiresAt, now: ctx.now };
  if (!(await createAccessRequest(ctx.db, request)))
    throw new ApiError('already-exists', 'You have requested this already. svc access requests shows it.');
  const created = (await findAccessRequest(ctx.db, { id }))!;
  await audit(ctx, 'ACCESS_REQUESTED', created);
  return accessRequestRecord(created);
});

/** Records an event with the object as the requester named it. */
function audit(
  ctx: Context,
  type: 'ACCESS_REQUESTED' | 'ACCESS_REQUEST_APPROVED' | 'ACCESS_REQUEST_REJECTED' | 'ACCESS_REQUEST_WITHDRAWN',
  request: StoredAccessRequest,
  more: Record<string, unknown> = {},
): Promise<void> {
  const { id, principal, role, action, reason, expires_at } = request;
  const detail = {
    access_request_id: id,
    principal,
    role,
    action,
    reason,
    expires_at: expires_at?.toISOString() ?? null,
  };
  return ctx.audit({ type, object: scopeOf(request), detail: { ...detail, ...more } });
}

const list = route(endpoints.list, async (ctx) => {
  const { principal, limit } = ctx.query;
  const state = REQUEST_STATES.find((one) => one === ctx.query.state);
  const isAdministrator = ctx.decide('MANAGE_GRANT').allowed;
  const named = principal === undefined ? undefined : await findPrincipal(ctx.db, principal);
  // A filter for someone else finds nothing unless their requests are visible.
  if (principal !== undefined && (named == null || (!isAdministrator && named.id !== ctx.caller.id)))
    return new PageResponse([], null);
  const page = await listAccessRequests(ctx.db, {
    filter: { state, principalId: isAdministrator ? named?.id : ctx.caller.id },
    page: { limit, after: positionOf(ctx.position<Position>()) },
  });
  return new PageResponse(page.items, page.next);
});

/** The pending request of the path, locked. @throws ApiError `not-found`, `already-decided` */
async function requirePending(ctx: Context<{ id: string }>, ownOnly = false): Promise<StoredAccessRequest> {
  const { id } = ctx.params;
  const found = isUuid(id) ? await findAccessRequest(ctx.db, { id, lock: true }) : null;
  if (found === null || (ownOnly && found.principal_id !== ctx.caller.id))
    throw notFound('access request', id, { to: 'list the requests', run: 'svc access requests' });
  if (found.state === 'pending') return found;
  const by = found.decided_by === null ? '' : ` by ${found.decided_by}`;
  throw new ApiError('already-decided', `The request of ${found.principal} was ${found.state}${by}.`);
}

/** Until when the grant lasts: as the administrator says, otherwise as requested. */
function expiryOf(ctx: Context, request: StoredAccessRequest, requested: string | null | undefined): Date | null {
  if (requested !== undefined) return requested === null ? null : readExpiry(ctx, requested);
  if (request.expires_at === null || request.expires_at > ctx.now) return request.expires_at;
  throw invalid({ pointer: '/expires_at' }, 'is required, because the requested time has passed');
}

/** Locks the requester before the request, as a deletion does: a deleted principal must not get a grant. */
async function lockRequester({ db, params: { id } }: Context<{ id: string }>): Promise<void> {
  const request = isUuid(id) ? await findAccessRequest(db, { id }) : null;
  if (request !== null) await lockPrincipal(db, request.principal, 'share');
}

const approve = route(endpoints.approve, async (ctx) => {
  const { expires_at, comment } = ctx.body;
  await lockRequester(ctx);
  const request = await requirePending(ctx);
  const { id, principal_id: principalId, role, action } = request;
  const { environment, namespace, table, service_account } = request;
  const object = await resolveObject(ctx, withoutNulls({ environment, namespace, table, service_account }));
  const expiresAt = expiryOf(ctx, request, expires_at);
  const grant = await addGrant(ctx, { object, principalId, groupId: null, role, action, expiresAt });
  await decideAccessRequest(ctx.db, {
    ...{ id, state: 'approved' as const, by: ctx.caller.id, comment, grantId: grant.id, now: ctx.now },
  });
  const detail = { comment, grant_id: grant.id, expires_at: expiresAt?.toISOString() ?? null };
  await audit(ctx, 'ACCESS_REQUEST_APPROVED', request, detail);
  return accessRequestRecord((await findAccessRequest(ctx.db, { id }))!);
});

const withoutNulls = (names: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(Object.entries(names).filter((entry): entry is [string, string] => entry[1] !== null));

const reject = route(endpoints.reject, async (ctx) => {
  const { comment } = ctx.body;
  const request = await requirePending(ctx);
  const { id } = request;
  await decideAccessRequest(ctx.db, { id, state: 'rejected', by: ctx.caller.id, comment, now: ctx.now });
  await audit(ctx, 'ACCESS_REQUEST_REJECTED', request, { comment });
  return accessRequestRecord((await findAccessRequest(ctx.db, { id }))!);
});

const withdraw = route(endpoints.withdraw, async (ctx) => {
  const request = await requirePending(ctx, true);
  const decision = { id: request.id, state: 'withdrawn' as const, by: ctx.caller.id, comment: null, now: ctx.now };
  await decideAccessRequest(ctx.db, decision);
  await audit(ctx, 'ACCESS_REQUEST_WITHDRAWN', request);
  return undefined;
});

export const accessRequestRoutes: Route[] = [create, list, approve, reject, withdraw];
