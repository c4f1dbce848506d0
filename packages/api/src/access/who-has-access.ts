import {
  ACTIONS,
  type Action,
  accessEndpoints,
  appliesWithin,
  decide,
  type EffectiveGrant,
  grantsAction,
  namespaceChain,
  OBJECT_KINDS,
  type ObjectKind,
  type ObjectScope,
  parseEnum,
  scopeOf,
  scopeText,
  viaOf,
} from '@svc/core/access';
import { invalid } from '@svc/core/errors';
import { INSTANCE_ID, listEffectiveGrants, listGranteeCandidates, objectIdsEver } from '@svc/db/access';
import { findNamespace } from '@svc/db/namespaces';
import type { Context } from '../http/context.ts';
import { PageResponse, type Route, route } from '../http/route.ts';
import { checkNames, type RequestedNames, resolveObject } from './object-names.ts';
import { pastTime } from './past-time.ts';
import { requirePrincipal } from './principals.ts';

/** Parses an action's name in any letter case. @throws ApiError `invalid-request` listing the actions */
export function requireAction(text: string): Action {
  const action = parseEnum(ACTIONS, text);
  if (action === undefined) throw invalid({ parameter: 'action' }, `must be one of ${ACTIONS.join(', ')}`);
  return action;
}

/** Ids of the object and of everything that contains it. */
async function chainOf(ctx: Context, names: RequestedNames): Promise<string[]> {
  const object = await resolveObject(ctx, names);
  const ids = [INSTANCE_ID];
  if (object.environmentId !== null) ids.push(object.environmentId);
  for (const path of names.namespace === undefined ? [] : namespaceChain(names.namespace)) {
    const found = await findNamespace(ctx.db, { environmentId: object.environmentId!, path });
    if (found !== null) ids.push(found.id);
  }
  if (object.tableId !== null) ids.push(object.tableId);
  if (object.serviceAccountId !== null) ids.push(object.serviceAccountId);
  return ids;
}

const who = route(accessEndpoints.who, async (ctx) => {
  const { action: text, limit, environment, namespace, table, service_account } = ctx.query;
  const names = { environment, namespace, table, service_account };
  const action = requireAction(text);
  checkNames(names);
  const time = pastTime(ctx, ctx.query.at);
  const objectIds = time === null ? await chainOf(ctx, names) : await objectIdsEver(ctx.db, names);
  const candidates = await listGranteeCandidates(ctx.db, {
    action,
    objectIds,
    environment: environment ?? null,
    after: ctx.position<string>(),
    limit,
    now: ctx.now,
    at: time,
  });
  const page = candidates.slice(0, limit);
  const scope = scopeOf(names);
  const items = page
    .map(({ name, type, active, grants }) => ({
      principal: name,
      type,
      active,
      via: decide(grants, action, scope).via,
    }))
    .filter(({ via }) => via.length > 0);
  return new PageResponse(items, candidates.length > limit ? page.at(-1)!.name : null);
});

const byScope = (a: ObjectScope, b: ObjectScope) =>
  OBJECT_KINDS.indexOf(a.kind) - OBJECT_KINDS.indexOf(b.kind) ||
  (scopeText(a) < scopeText(b) ? -1 : scopeText(a) > scopeText(b) ? 1 : 0);

const objects = route(accessEndpoints.objects, async (ctx) => {
  const principal = await requirePrincipal(ctx.db, ctx.params.name);
  const only = ctx.query.action === undefined ? undefined : requireAction(ctx.query.action);
  const effective = await listEffectiveGrants(ctx.db, { principalId: principal.id, now: ctx.now });
  const byObject = new Map<string, { scope: ObjectScope; grants: EffectiveGrant[] }>();
  for (const grant of effective) {
    const key = JSON.stringify(grant.scope);
    const entry = byObject.get(key) ?? { scope: grant.scope, grants: [] };
    entry.grants.push(grant);
    byObject.set(key, entry);
  }
  const after = ctx.position<ObjectScope>();
  const reached = [...byObject.values()]
    .map(({ scope, grants }) => ({ scope, ...permissionsGranted(grants, scope.kind, only) }))
    .filter(({ scope, actions }) => actions.length > 0 && (after === null || byScope(scope, after) > 0))
    .sort((a, b) => byScope(a.scope, b.scope));
  const page = reached.slice(0, ctx.query.limit);
  return new PageResponse(page, reached.length > page.length ? page.at(-1)!.scope : null);
});

/** The actions that grants on one object allow there and on everything inside it. */
function permissionsGranted(grants: readonly EffectiveGrant[], kind: ObjectKind, only: Action | undefined) {
  const carried = (only === undefined ? ACTIONS : [only]).filter((action) => appliesWithin(action, kind));
  const actions = carried.filter((action) => grants.some((grant) => grantsAction(grant, action)));
  const allowing = grants.filter((grant) => actions.some((action) => grantsAction(grant, action)));
  return { actions, via: viaOf(allowing) };
}

export const whoHasAccessRoutes: Route[] = [who, objects];
