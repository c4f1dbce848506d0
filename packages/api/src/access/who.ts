import {
  ACTIONS,
  type Action,
  appliesWithin,
  decide,
  accessEndpoints as endpoints,
  grantsAction,
  type HeldGrant,
  namespaceChain,
  OBJECT_KINDS,
  type ObjectKind,
  type ObjectScope,
  readWord,
  scopeOf,
  scopeText,
  viaOf,
} from '@svc/core/access';
import { invalid } from '@svc/core/errors';
import { heldGrants, INSTANCE_ID, listHolders } from '@svc/db/access';
import { findNamespace } from '@svc/db/namespaces';
import type { Context } from '../http/context.ts';
import { PageAnswer, type Route, route } from '../http/route.ts';
import { resolveObject } from './grants.ts';
import { requirePrincipal } from './principals.ts';

/** Parses an action's name in any letter case. @throws ApiError `invalid-request` listing the actions */
export function requireAction(text: string): Action {
  const action = readWord(ACTIONS, text);
  if (action === undefined) throw invalid({ parameter: 'action' }, `must be one of ${ACTIONS.join(', ')}`);
  return action;
}

interface Names {
  environment?: string | undefined;
  namespace?: string | undefined;
  table?: string | undefined;
}

/** Rejects a namespace without its environment and a table without its namespace. */
export function checkNames({ environment, namespace, table }: Names): void {
  if (namespace !== undefined && environment === undefined)
    throw invalid({ parameter: 'namespace' }, 'needs environment');
  if (table !== undefined && namespace === undefined) throw invalid({ parameter: 'table' }, 'needs namespace');
}

/** Ids of the object and of everything that contains it. */
async function chainOf(ctx: Context, names: Names): Promise<string[]> {
  const object = await resolveObject(ctx, scopeOf(names).kind, names);
  const ids = [INSTANCE_ID];
  if (object.environmentId !== null) ids.push(object.environmentId);
  for (const path of names.namespace === undefined ? [] : namespaceChain(names.namespace)) {
    const found = await findNamespace(ctx.db, { environmentId: object.environmentId!, path });
    if (found !== null) ids.push(found.id);
  }
  if (object.tableId !== null) ids.push(object.tableId);
  return ids;
}

const who = route(endpoints.who, async (ctx) => {
  const { action: text, limit, environment, namespace, table } = ctx.query;
  const names = { environment, namespace, table };
  const action = requireAction(text);
  checkNames(names);
  const objectIds = await chainOf(ctx, names);
  const holders = await listHolders(ctx.db, {
    action,
    objectIds,
    environment: environment ?? null,
    after: ctx.position<string>(),
    limit,
  });
  const shown = holders.slice(0, limit);
  const scope = scopeOf(names);
  const items = shown
    .map(({ name, type, active, held }) => ({ principal: name, type, active, via: decide(held, action, scope).via }))
    .filter(({ via }) => via.length > 0);
  return new PageAnswer(items, holders.length > limit ? shown.at(-1)!.name : null);
});

const byPlace = (a: ObjectScope, b: ObjectScope) =>
  OBJECT_KINDS.indexOf(a.kind) - OBJECT_KINDS.indexOf(b.kind) ||
  (scopeText(a) < scopeText(b) ? -1 : scopeText(a) > scopeText(b) ? 1 : 0);

const objects = route(endpoints.objects, async (ctx) => {
  const principal = await requirePrincipal(ctx.db, ctx.params.name);
  const only = ctx.query.action === undefined ? undefined : requireAction(ctx.query.action);
  const held = await heldGrants(ctx.db, { principalId: principal.id });
  const places = new Map<string, { scope: ObjectScope; grants: HeldGrant[] }>();
  for (const grant of held) {
    const key = JSON.stringify(grant.scope);
    const place = places.get(key) ?? { scope: grant.scope, grants: [] };
    place.grants.push(grant);
    places.set(key, place);
  }
  const after = ctx.position<ObjectScope>();
  const reached = [...places.values()]
    .map(({ scope, grants }) => ({ scope, ...given(grants, scope.kind, only) }))
    .filter(({ scope, actions }) => actions.length > 0 && (after === null || byPlace(scope, after) > 0))
    .sort((a, b) => byPlace(a.scope, b.scope));
  const page = reached.slice(0, ctx.query.limit);
  return new PageAnswer(page, reached.length > page.length ? page.at(-1)!.scope : null);
});

/** The actions that grants on one object allow there and on everything inside it. */
function given(grants: readonly HeldGrant[], kind: ObjectKind, only: Action | undefined) {
  const wanted = (only === undefined ? ACTIONS : [only]).filter((action) => appliesWithin(action, kind));
  const actions = wanted.filter((action) => grants.some((grant) => grantsAction(grant, action)));
  const giving = grants.filter((grant) => actions.some((action) => grantsAction(grant, action)));
  return { actions, via: viaOf(giving) };
}

export const whoRoutes: Route[] = [who, objects];
