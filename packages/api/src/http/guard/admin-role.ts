import { covers, type EffectiveGrant, type ObjectScope } from '@svc/core/access';
import type { Context } from '../context.ts';

/** Whether the caller has the role `ADMIN` on an object or a container of it. A task token never does, nor one with a scope of actions. */
export function hasAdminRole(ctx: Pick<Context, 'grants' | 'isTask'>, on: ObjectScope): boolean {
  const isAdmin = ({ role, scope, only }: EffectiveGrant) =>
    role === 'ADMIN' && only === undefined && covers(scope, on);
  return !ctx.isTask && ctx.grants.some(isAdmin);
}
