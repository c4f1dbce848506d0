import { covers, scopeOf } from '@svc/core/access';
import { ADVERTISED, badRequest } from '@svc/core/catalog';
import type { Context } from '../../http/context.ts';
import { requireExisting } from '../../http/guard/authorize.ts';
import type { CatalogContext } from './context.ts';
import { ok } from './response.ts';
import { type CatalogRoute, operation } from './route.ts';

/** How long responses are stored for repeated requests, as an ISO 8601 duration. */
const KEY_LIFETIME = 'PT24H';

/** Callers with any grant on the environment, inside it or on the instance may read how to reach it. */
async function authorize(ctx: CatalogContext): Promise<void> {
  const { environment } = ctx.target;
  if (environment === null) throw badRequest('Set the environment: warehouse=<environment>.');
  const on = scopeOf({ environment });
  const limited = ctx.taskLimit('READ_ENVIRONMENT', on);
  const grants = limited === null ? await ctx.listGrants() : [];
  if (grants.some(({ scope }) => covers(scope, on) || scope.environment === environment)) return;
  const reason = limited?.reason ?? ctx.tokenLimit('READ_ENVIRONMENT', on)?.reason ?? `no grant names ${environment}`;
  throw ctx.denied('READ_ENVIRONMENT', on, reason);
}

const getConfig = operation('getConfig', async (ctx) => {
  await authorize(ctx);
  requireExisting(ctx as Context);
  return ok({
    defaults: {},
    overrides: { prefix: ctx.environment.name },
    endpoints: ADVERTISED,
    'idempotency-key-lifetime': KEY_LIFETIME,
  });
});

export const configRoutes: CatalogRoute[] = [getConfig];
