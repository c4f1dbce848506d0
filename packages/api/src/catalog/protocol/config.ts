import { covers, scopeOf } from '@svc/core/access';
import { ADVERTISED, badRequest } from '@svc/core/catalog';
import type { Context } from '../../http/context.ts';
import { requireExisting } from '../../http/guard/authorise.ts';
import { ok } from './answer.ts';
import type { CatalogContext } from './context.ts';
import { type CatalogRoute, operation } from './route.ts';

/** Hours that an answer is kept for repetitions of its request. */
const KEY_LIFETIME = 'PT24H';

/** Whoever holds anything on the environment, around or inside it may learn how to reach it. */
async function admit(ctx: CatalogContext): Promise<void> {
  const { environment } = ctx.asked;
  if (environment === null) throw badRequest('Name the environment: warehouse=<environment>.');
  const on = scopeOf({ environment });
  const limited = ctx.taskLimit('READ_ENVIRONMENT', on);
  const held = limited === null ? await ctx.heldEverywhere() : [];
  if (held.some(({ scope }) => covers(scope, on) || scope.environment === environment)) return;
  throw ctx.denied('READ_ENVIRONMENT', on, limited?.reason ?? `no grant names ${environment}`);
}

const getConfig = operation('getConfig', async (ctx) => {
  await admit(ctx);
  requireExisting(ctx as Context);
  return ok({
    defaults: {},
    overrides: { prefix: ctx.environment.name },
    endpoints: ADVERTISED,
    'idempotency-key-lifetime': KEY_LIFETIME,
  });
});

export const configRoutes: CatalogRoute[] = [getConfig];
