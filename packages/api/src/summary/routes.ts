import { INSTANCE } from '@svc/core/access';
import { type EnvironmentSummary, summaryEndpoints as endpoints, MAX_SUMMARY_TABLES } from '@svc/core/summary';
import { listRestorable } from '@svc/db/drops';
import { findEnvironmentRule, listExpiring } from '@svc/db/retention';
import { countRuns, countTables, listRecentTables } from '@svc/db/summary';
import type { VisibleTables } from '@svc/db/tables';
import { listWorkers } from '@svc/db/workers';
import type { Context } from '../http/context.ts';
import { type Route, route } from '../http/route.ts';
import { quotasOf } from '../quotas/routes.ts';
import { searchScope } from '../search/scope.ts';

const DAY_MS = 86_400_000;

const get = route(
  endpoints.get,
  async (ctx): Promise<EnvironmentSummary> => {
    const { tables: visible, projects } = await searchScope(ctx);
    const { name, id: environmentId } = ctx.environment;
    const since = new Date(ctx.now.getTime() - DAY_MS);
    const manages = ctx.decide('MANAGE_ENVIRONMENT', INSTANCE).allowed;
    return {
      environment: name,
      tables: await countTables(ctx.db, { environmentId, visible }),
      recent_tables: await listRecentTables(ctx.db, { environmentId, visible, limit: MAX_SUMMARY_TABLES }),
      expiring_tables: await expiring(ctx, visible),
      dropped_tables: await dropped(ctx, visible),
      runs: projects ? await countRuns(ctx.db, { environmentId, since }) : null,
      quotas: projects ? await quotasOf(ctx, ctx.environment) : null,
      workers: manages ? (await listWorkers(ctx.db, ctx.now)).length : null,
    };
  },
  searchScope,
);

/** Those that a list of expiring tables shows (RETAIN-9). */
async function expiring(ctx: Context, visible: VisibleTables): Promise<EnvironmentSummary['expiring_tables']> {
  if (ctx.environment.protected) return [];
  const warningDays = ctx.deps.settings.expiryWarningDays;
  const { items } = await listExpiring(ctx.db, {
    environmentId: ctx.environment.id,
    rule: await findEnvironmentRule(ctx.db, ctx.environment.id),
    until: new Date(ctx.now.getTime() + warningDays * DAY_MS),
    visible,
    page: { limit: MAX_SUMMARY_TABLES, after: null },
    now: ctx.now,
    warningDays,
  });
  return items;
}

/** A grant on a table doesn't cover its drops: lists of them need READ_TABLE on the namespace (DROP-14). */
function dropped(ctx: Context, visible: VisibleTables): Promise<EnvironmentSummary['dropped_tables']> {
  const namespaces = visible === 'all' ? visible : { namespaces: visible.namespaces, tables: [] };
  const { id: environmentId } = ctx.environment;
  return listRestorable(ctx.db, { environmentId, visible: namespaces, limit: MAX_SUMMARY_TABLES, now: ctx.now });
}

export const summaryRoutes: Route[] = [get];
