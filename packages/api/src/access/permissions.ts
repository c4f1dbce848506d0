import {
  ACTIONS_OF,
  decide,
  type EffectiveGrant,
  accessEndpoints as endpoints,
  type ObjectScope,
  scopeOf,
} from '@svc/core/access';
import { listEffectiveGrants } from '@svc/db/access';
import type { Context } from '../http/context.ts';
import { type Route, route } from '../http/route.ts';
import { checkNames, type RequestedNames, resolveObject } from './object-names.ts';
import { requirePrincipal } from './principals.ts';

const DEACTIVATED = (name: string) =>
  `${name} is deactivated: its tokens do not work, so all of this is denied; the response shows what its grants would allow.`;

/** The actions a principal may perform on an object (`ACCESS-14`), without revealing hidden objects (`ACCESS-18`). */
const permissions = route(endpoints.permissions, async (ctx) => {
  const self = ctx.params.name === ctx.caller.name;
  const names = namesOf(ctx);
  const scope = scopeOf(names);
  const principal = await requirePrincipal(ctx.db, ctx.params.name);
  // For callers who request their own permissions, an unknown object looks like one without grants (`ACCESS-18`).
  if (!self) await resolveObject(ctx, names);
  const grants = await listEffectiveGrants(ctx.db, { principalId: principal.id, now: ctx.now });
  return {
    principal: principal.name,
    active: principal.active,
    scope,
    permissions: permissionsOf(grants, scope),
    note: principal.active ? null : DEACTIVATED(principal.name),
  };
});

function namesOf({ query }: Context): RequestedNames {
  const { environment, namespace, table, service_account } = query as RequestedNames;
  const names = { environment, namespace, table, service_account };
  checkNames(names);
  return names;
}

function permissionsOf(grants: readonly EffectiveGrant[], scope: ObjectScope) {
  return ACTIONS_OF[scope.kind].map((action) => ({ action, ...decide(grants, action, scope) }));
}

export const permissionRoutes: Route[] = [permissions];
