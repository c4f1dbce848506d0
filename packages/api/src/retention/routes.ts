import { ApiError, invalid } from '@svc/core/errors';
import {
  actionToChange,
  retentionEndpoints as endpoints,
  isAfterToday,
  type Retention,
  type RetentionRule,
  retentionDetail,
  retentionOf,
  type TableRetention,
} from '@svc/core/retention';
import { getEnvironment } from '@svc/db/environments';
import type { Position } from '@svc/db/paging';
import {
  type EnvironmentRule,
  findEnvironmentRule,
  listExpiring,
  setEnvironmentRetention,
  setTableRetention,
} from '@svc/db/retention';
import { activityOf, legalHoldRecord, retentionFacts, type StoredTable, type VisibleTables } from '@svc/db/tables';
import type { Context } from '../http/context.ts';
import { requireExisting } from '../http/guard/authorize.ts';
import { AccessDeniedError } from '../http/guard/denial.ts';
import { positionOf } from '../http/response/position.ts';
import type { NextCommand } from '../http/response/shared-errors.ts';
import { PageResponse, type Route, route } from '../http/route.ts';
import { droppedError, loadTable, lockTable } from '../tables/load.ts';
import { visibleInEnvironment } from '../tables/visible-tables.ts';

const DAY_MS = 86_400_000;

function requireManaged(ctx: Context, table: StoredTable): StoredTable {
  if (table.kind === 'managed') return table;
  const name = `${table.namespace}.${table.name}`;
  throw new ApiError(
    'not-a-managed-table',
    `${name} is of kind ${table.kind}: only managed tables can expire. Drop it when you no longer need it: svc table delete ${name} --env ${ctx.environment.name}`,
  );
}

function answerOf(table: StoredTable, now: Date): TableRetention {
  const retention = retentionOf(retentionFacts(table, now));
  const { source, days, on, never, expiresAt, kept } = retention;
  const own = source === 'table';
  const setAt = own ? table.retention_set_at : source === null ? null : table.environment_set_at;
  const setBy = own ? table.retention_set_by : source === null ? null : table.environment_set_by;
  return {
    source,
    days,
    on,
    never,
    set_by: setBy,
    set_at: setAt?.toISOString() ?? null,
    last_activity_at: activityOf(table).toISOString(),
    expires_at: expiresAt?.toISOString() ?? null,
    kept,
    hold: legalHoldRecord(table, now),
  };
}

const get = route(endpoints.get, async (ctx) => answerOf(requireManaged(ctx, await loadTable(ctx)), ctx.now));

/** 409 in a protected environment, whose tables never expire: break-glass doesn't help here. */
function requireExpirable(ctx: Context, action: 'DROP_TABLE' | 'MANAGE_ENVIRONMENT', never: NextCommand): void {
  const { name } = ctx.environment;
  if (!ctx.environment.protected) return;
  throw new AccessDeniedError(
    { action, object: ctx.target, reason: `environment ${name} is protected` },
    {
      code: 'environment-protected',
      detail: `The environment ${name} is protected: its tables never expire, so you cannot set a retention. To ${never.to}: ${never.run}`,
      remedy: never.run,
    },
  );
}

const isOwner = (ctx: Context, action: 'DROP_TABLE' | 'WRITE_TABLE') => ctx.isOwner(ctx.object.table?.owner_id, action);

function authorizeChange(ctx: Context): void {
  const may = (action: 'DROP_TABLE' | 'WRITE_TABLE') => isOwner(ctx, action) || ctx.decide(action).allowed;
  if (!may('WRITE_TABLE') && !may('DROP_TABLE')) ctx.require('WRITE_TABLE');
  requireExisting(ctx);
}

const set = route(
  endpoints.set,
  async (ctx) => {
    // A denial that depends on the table's rule is for those who can read the rule.
    if (ctx.object.table === null || !ctx.decide('READ_TABLE').allowed) authorizeChange(ctx);
    const table = requireManaged(ctx, await lockTable(ctx));
    const rule: RetentionRule = {
      days: ctx.body.days ?? null,
      on: ctx.body.on ?? null,
      never: ctx.body.never === true,
    };
    if (rule.on !== null && !isAfterToday(rule.on, ctx.now))
      throw invalid({ pointer: '/on' }, `${rule.on} is not after today (UTC): choose a later day`);
    const facts = retentionFacts(table, ctx.now);
    const before = retentionOf(facts);
    // The change itself counts as activity.
    const after = retentionOf({ ...facts, own: rule, activityAt: ctx.now });
    requireRight(ctx, before, after);
    if (!rule.never) {
      const run = `svc table retention ${table.namespace}.${table.name} --never --env ${ctx.environment.name}`;
      requireExpirable(ctx, 'DROP_TABLE', { to: 'record that this one never does', run });
    }
    if (!(await setTableRetention(ctx.db, { id: table.id, rule, by: ctx.caller.id, now: ctx.now })))
      throw droppedError(ctx);
    await ctx.audit({
      type: rule.never ? 'TABLE_RETENTION_CLEARED' : 'TABLE_RETENTION_SET',
      object: ctx.scope({ namespace: table.namespace, table: table.name }),
      detail: retentionDetail(table.id, before, after),
    });
    return answerOf(await loadTable(ctx), ctx.now);
  },
  authorizeChange,
);

function requireRight(ctx: Context, before: Retention, after: Retention): void {
  const action = actionToChange(before.dueAt, after.dueAt);
  if (isOwner(ctx, action)) return;
  const { allowed, reason } = ctx.decide(action);
  if (allowed) return;
  const what = action === 'DROP_TABLE' ? 'make it expire or expire sooner' : 'make it expire later or never';
  throw ctx.denied(action, ctx.target, `${reason}; without it, only the owner of the table may ${what}`);
}

const setEnvironment = route(endpoints.setEnvironment, async (ctx) => {
  const { days } = ctx.body;
  const { id } = ctx.environment;
  if (days !== null) {
    const run = `svc env retention ${ctx.environment.name} --off`;
    requireExpirable(ctx, 'MANAGE_ENVIRONMENT', { to: 'turn it off', run });
  }
  const previous = await setEnvironmentRetention(ctx.db, { id, days, by: ctx.caller.id, now: ctx.now });
  await ctx.audit({
    type: 'ENVIRONMENT_RETENTION_SET',
    object: ctx.scope(),
    detail: { days, previous_days: previous },
  });
  return getEnvironment(ctx.db, id);
});

interface Expiring {
  rule: EnvironmentRule | null;
  until: Date | null;
  visible: VisibleTables;
  after: Position | null;
}

function findExpiring(ctx: Context<unknown, { limit: number }>, { after, ...q }: Expiring) {
  return listExpiring(ctx.db, {
    environmentId: ctx.environment.id,
    ...q,
    page: { limit: ctx.query.limit, after },
    now: ctx.now,
    warningDays: ctx.deps.settings.expiryWarningDays,
  });
}

/** The tables that the caller can read. @throws AccessDeniedError if the caller can read none of them */
async function readable(ctx: Context): Promise<VisibleTables> {
  const visible = await visibleInEnvironment(ctx);
  requireExisting(ctx);
  return visible;
}

const expiring = route(
  endpoints.expiring,
  async (ctx) => {
    const visible = await readable(ctx);
    if (ctx.environment.protected) return new PageResponse([], null);
    const days = ctx.query.within_days ?? ctx.deps.settings.expiryWarningDays;
    const until = new Date(ctx.now.getTime() + days * DAY_MS);
    const rule = await findEnvironmentRule(ctx.db, ctx.environment.id);
    const { items, next } = await findExpiring(ctx, {
      rule,
      until,
      visible,
      after: positionOf(ctx.position<Position>()),
    });
    return new PageResponse(items, next);
  },
  readable,
);

const preview = route(endpoints.preview, async (ctx) => {
  // All pages treat the rule as set when the first page was requested; the cursor carries that time.
  const position = ctx.position<Position & { setAt: string }>();
  const setAt = position === null ? ctx.now : new Date(position.setAt);
  const { items, next } = await findExpiring(ctx, {
    rule: { days: ctx.query.days, setAt },
    until: null,
    visible: 'all',
    after: positionOf(position),
  });
  return new PageResponse(items, next === null ? null : { ...next, setAt });
});

export const retentionRoutes: Route[] = [get, set, setEnvironment, expiring, preview];
