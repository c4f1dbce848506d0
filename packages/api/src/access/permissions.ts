import {
  ACTIONS_OF,
  decide,
  type EffectiveGrant,
  accessEndpoints as endpoints,
  INSTANCE,
  type ObjectScope,
  scopeOf,
} from '@svc/core/access';
import { findPrincipalAt, listEffectiveGrants, listGrantsAt } from '@svc/db/access';
import type { Context } from '../http/context.ts';
import { notFound } from '../http/response/shared-errors.ts';
import { type Route, route } from '../http/route.ts';
import { checkNames, type RequestedNames, resolveObject } from './object-names.ts';
import { pastTime } from './past-time.ts';
import { requirePrincipal } from './principals.ts';

const DEACTIVATED = (name: string) =>
  `${name} is deactivated: its tokens do not work, so all of this is denied; the response shows what its grants would allow.`;

/** The actions a principal may perform on an object (`ACCESS-14`), without revealing hidden objects (`ACCESS-18`). */
const permissions = route(endpoints.permissions, async (ctx) => {
  const self = ctx.params.name === ctx.caller.name;
  const names = namesOf(ctx);
  const scope = scopeOf(names);
  const time = pastTime(ctx, ctx.query.at);
  if (time !== null) return permissionsAt(ctx, scope, time);
  const principal = await requirePrincipal(ctx.db, ctx.params.name);
  // For callers who request their own permissions, an unknown object looks like one without grants (`ACCESS-18`).
  if (!self) await resolveObject(ctx, names);
  const grants = await listEffectiveGrants(ctx.db, { principalId: principal.id, now: ctx.now });
  return answer(principal, grants, scope);
});

/** The same at a time in the past, when the object may have existed and the principal been active (`ACCESS-47`). */
async function permissionsAt(ctx: Context<{ name: string }>, scope: ObjectScope, time: Date) {
  const { name } = ctx.params;
  const principal = await findPrincipalAt(ctx.db, { name, time });
  if (principal === null) throw notFound('principal', `${name} at that time`);
  // The name may have been another principal's.
  if (principal.id !== ctx.caller.id) ctx.require('MANAGE_GRANT', INSTANCE);
  const grants = await listGrantsAt(ctx.db, { principalId: principal.id, time });
  return { ...answer(principal, grants, scope), at: time.toISOString() };
}

function answer(
  { name, active }: { name: string; active: boolean },
  grants: readonly EffectiveGrant[],
  scope: ObjectScope,
) {
  const note = active ? null : DEACTIVATED(name);
  return { principal: name, active, scope, permissions: permissionsOf(grants, scope), note };
}

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
