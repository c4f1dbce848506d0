import {
  ACTIONS,
  type Action,
  appliesWithin,
  covers,
  type EffectiveGrant,
  accessEndpoints as endpoints,
  type Grant,
  grantsAction,
  OBJECT_KINDS,
  type ObjectKind,
  parseEnum,
  type RevocationPreview,
  ROLES,
  type Role,
  scopeOf,
  takesRoles,
} from '@svc/core/access';
import { shellOption } from '@svc/core/command-lines';
import { ApiError, invalid } from '@svc/core/errors';
import { isUuid } from '@svc/core/ids';
import {
  createGrant,
  findDuplicateGrant,
  findGrant,
  listAffectedPrincipals,
  listEffectiveGrants,
  listGrants,
  type NewGrant,
  requireAdminLeft,
  revokeGrantsOf,
} from '@svc/db/access';
import type { Position } from '@svc/db/paging';
import type { Context } from '../http/context.ts';
import { positionOf } from '../http/response/position.ts';
import { notFound } from '../http/response/shared-errors.ts';
import { PageResponse, type Route, route, StatusResponse } from '../http/route.ts';
import { readExpiry } from './expiry.ts';
import { auditRevoked, grantEvent } from './grant-events.ts';
import { requireGroup } from './groups.ts';
import { checkNames, type RequestedNames, resolveObject } from './object-names.ts';
import { requirePrincipal } from './principals.ts';

const NAMES_OF = {
  INSTANCE: [],
  ENVIRONMENT: ['environment'],
  NAMESPACE: ['environment', 'namespace'],
  TABLE: ['environment', 'namespace', 'table'],
  SERVICE_ACCOUNT: ['service_account'],
} as const satisfies Record<ObjectKind, readonly (keyof RequestedNames)[]>;

function readKind(text: string, names: RequestedNames): ObjectKind {
  const kind = parseEnum(OBJECT_KINDS, text);
  if (kind === undefined) throw invalid({ pointer: '/kind' }, `must be one of ${OBJECT_KINDS.join(', ')}`);
  const requiredFields: readonly string[] = NAMES_OF[kind];
  for (const field of ['environment', 'namespace', 'table', 'service_account'] as const) {
    const isSet = names[field] !== undefined;
    if (requiredFields.includes(field) && !isSet)
      throw invalid({ pointer: `/${field}` }, `a grant on kind ${kind} requires ${requiredFields.join(', ')}`);
    if (!requiredFields.includes(field) && isSet)
      throw invalid({ pointer: `/${field}` }, `a grant on kind ${kind} has no ${field}`);
  }
  return kind;
}

interface ActionText {
  principal?: string | undefined;
  group?: string | undefined;
  role?: string | undefined;
  action?: string | undefined;
}

export function readRight(
  { role: roleText, action: actionText, principal, group }: ActionText,
  kind: ObjectKind,
): { role: Role | null; action: Action | null } {
  if ((roleText === undefined) === (actionText === undefined))
    throw invalid({ pointer: '/action' }, 'name exactly one of role and action');
  if (roleText !== undefined) {
    const role = parseEnum(ROLES, roleText);
    if (role === undefined) throw invalid({ pointer: '/role' }, `must be one of ${ROLES.join(', ')}`);
    if (!takesRoles(kind)) throw invalid({ pointer: '/role' }, `no role applies to kind ${kind}; grant an action`);
    return { role, action: null };
  }
  const action = parseEnum(ACTIONS, actionText!);
  if (action === undefined) throw invalid({ pointer: '/action' }, `must be one of ${ACTIONS.join(', ')}`);
  if (action === 'READ_QUERY_TEXT' && kind !== 'INSTANCE') {
    const to = group === undefined ? shellOption('principal', principal ?? 'NAME') : shellOption('group', group);
    const remedy = `svc grant create --kind INSTANCE ${to} --action READ_QUERY_TEXT`;
    throw new ApiError('invalid-request', `READ_QUERY_TEXT can only be granted on the instance: ${remedy}`, {
      remedy,
      errors: [{ pointer: '/kind', message: 'READ_QUERY_TEXT can only be granted on the instance' }],
    });
  }
  if (!appliesWithin(action, kind))
    throw invalid({ pointer: '/action' }, `${action} never applies to kind ${kind} or anything inside it`);
  return { role: null, action };
}

const create = route(endpoints.createGrant, async (ctx) => {
  const { body, db } = ctx;
  const kind = readKind(body.kind, body);
  const { role, action } = readRight(body, kind);
  if ((body.principal === undefined) === (body.group === undefined))
    throw invalid({ pointer: '/principal' }, 'name exactly one of principal and group');
  const principalId = body.principal === undefined ? null : (await requirePrincipal(db, body.principal, 'share')).id;
  const groupId = body.group === undefined ? null : (await requireGroup(db, body.group, 'share')).id;
  const object = await resolveObject(ctx, body);
  const expiresAt = readExpiry(ctx, body.expires_at);
  const { id, created } = await addGrant(ctx, { object, principalId, groupId, role, action, expiresAt });
  if (created === null) throw new ApiError('duplicate-grant', `Grant ${id} already allows this. Nothing to do.`);
  return created;
});

/** Creates a grant with its event, unless an equal one that lasts as long is active. Returns the id of either; `created` is null then. */
export async function addGrant(
  ctx: Context,
  grant: Omit<NewGrant, 'id' | 'createdBy' | 'now'>,
): Promise<{ id: string; created: Grant | null }> {
  const added = { ...grant, id: ctx.deps.newId(), createdBy: ctx.caller.id, now: ctx.now };
  const duplicate = await findDuplicateGrant(ctx.db, added);
  if (duplicate !== null) return { id: duplicate, created: null };
  await createGrant(ctx.db, added);
  const created = (await findGrant(ctx.db, added.id, ctx.now))!;
  await ctx.audit(grantEvent('GRANT_CREATED', { grant: created, environmentId: grant.object.environmentId }));
  return { id: added.id, created };
}

const list = route(endpoints.listGrants, async (ctx) => {
  const { query, db } = ctx;
  const {
    principal_name,
    group_name,
    action: actionText,
    environment,
    namespace,
    table,
    service_account,
    limit,
  } = query;
  if (principal_name !== undefined && group_name !== undefined)
    throw invalid({ parameter: 'group_name' }, 'cannot be combined with principal_name');
  const names = { environment, namespace, table, service_account };
  checkNames(names);
  const { kind } = scopeOf(names);
  const action = actionText === undefined ? undefined : parseEnum(ACTIONS, actionText);
  if (actionText !== undefined && action === undefined)
    throw invalid({ parameter: 'action' }, `must be one of ${ACTIONS.join(', ')}`);
  const filter = {
    principalId: principal_name === undefined ? undefined : (await requirePrincipal(db, principal_name)).id,
    groupId: group_name === undefined ? undefined : (await requireGroup(db, group_name)).id,
    action,
    unusedSince: query.unused_since,
    object: kind === 'INSTANCE' ? undefined : await resolveObject(ctx, names),
  };
  await ctx.deps.grantUses.settled();
  const page = await listGrants(db, {
    filter,
    page: { limit, after: positionOf(ctx.position<Position>()) },
    now: ctx.now,
  });
  return new PageResponse(page.items, page.next);
});

const revoke = route(endpoints.revokeGrant, async (ctx) => {
  const { id } = ctx.params;
  const grant = isUuid(id) ? await findGrant(ctx.db, id, ctx.now) : null;
  if (grant === null) throw noSuchGrant(id);
  if (ctx.query.dry_run) {
    await requireAdminLeft(ctx.db, id);
    return new StatusResponse(200, await preview(ctx, grant)) as never;
  }
  const removed = await revokeGrantsOf(ctx.db, { of: { grantId: id }, by: ctx.caller.id, now: ctx.now });
  if (removed.length === 0) throw noSuchGrant(id);
  await requireAdminLeft(ctx.db);
  await auditRevoked(ctx, removed);
  return undefined;
});

const noSuchGrant = (id: string) => notFound('active grant', id, { to: 'list the grants', run: 'svc grant list' });

/** Lists what each principal that the grant reaches would lose on its object and everything inside it. */
async function preview(ctx: Context, grant: Grant): Promise<RevocationPreview> {
  const scope = scopeOf(grant);
  const applicable = ACTIONS.filter((action) => appliesWithin(action, scope.kind));
  const principals: RevocationPreview['principals'] = [];
  for (const { id, name } of await listAffectedPrincipals(ctx.db, grant)) {
    const current = (await listEffectiveGrants(ctx.db, { principalId: id, now: ctx.now })).filter((other) =>
      covers(other.scope, scope),
    );
    const without = current.filter((other) => other.grant_id !== grant.id);
    const has = (grants: readonly EffectiveGrant[], action: Action) =>
      grants.some((other) => grantsAction(other, action));
    principals.push({
      principal: name,
      loses: applicable.filter((action) => has(current, action) && !has(without, action)),
    });
  }
  return { grant, principals };
}

export const grantRoutes: Route[] = [create, list, revoke];
