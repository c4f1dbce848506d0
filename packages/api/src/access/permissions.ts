import {
  ACTIONS_OF,
  decide,
  type EffectiveGrant,
  accessEndpoints as endpoints,
  type ObjectScope,
  scopeOf,
} from '@svc/core/access';
import { invalid } from '@svc/core/errors';
import { listEffectiveGrants } from '@svc/db/access';
import type { Context } from '../http/context.ts';
import { type Route, route } from '../http/route.ts';
import { resolveObject } from './grants.ts';
import { requirePrincipal } from './principals.ts';

const DEACTIVATED = (name: string) =>
  `${name} is deactivated: its tokens do not work, so all of this is denied; the response shows what its grants would allow.`;

/** The actions a principal may perform on an object (`ACCESS-14`), without revealing hidden objects (`ACCESS-18`). */
const permissions = route(endpoints.permissions, async (ctx) => {
  const self = ctx.params.name === ctx.caller.name;
  const scope = requestedObject(ctx);
  const principal = await requirePrincipal(ctx.db, ctx.params.name);
  // For callers who request their own permissions, an unknown object looks like one without grants (`ACCESS-18`).
  if (!self) await resolveObject(ctx, scope.kind, namesOf(scope));
  const grants = await listEffectiveGrants(ctx.db, { principalId: principal.id, now: ctx.now });
  return {
    principal: principal.name,
    active: principal.active,
    scope,
    permissions: permissionsOf(grants, scope),
    note: principal.active ? null : DEACTIVATED(principal.name),
  };
});

function requestedObject(ctx: Context): ObjectScope {
  const { environment, namespace, table } = ctx.query as { environment?: string; namespace?: string; table?: string };
  if (namespace !== undefined && environment === undefined)
    throw invalid({ parameter: 'namespace' }, 'needs environment');
  if (table !== undefined && namespace === undefined) throw invalid({ parameter: 'table' }, 'needs namespace');
  return scopeOf({ environment, namespace, table });
}

const namesOf = ({ environment, namespace, table }: ObjectScope) => ({
  environment: environment ?? undefined,
  namespace: namespace ?? undefined,
  table: table ?? undefined,
});

function permissionsOf(grants: readonly EffectiveGrant[], scope: ObjectScope) {
  return ACTIONS_OF[scope.kind].map((action) => ({ action, ...decide(grants, action, scope) }));
}

export const permissionRoutes: Route[] = [permissions];
