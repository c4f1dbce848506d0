import { scopeOf } from '@svc/core/access';
import { invalid } from '@svc/core/errors';
import { isUuid } from '@svc/core/ids';
import { policyEndpoints as endpoints } from '@svc/core/policies';
import {
  createColumnMask,
  createRowFilter,
  endPolicy,
  findColumnMask,
  findRowFilter,
  listColumnMasks,
  listRowFilters,
  type PolicyPlace,
  type PolicyTarget,
} from '@svc/db/policies';
import { findTableById, type StoredTable } from '@svc/db/tables';
import { describeQuery, type Policies } from '@svc/lake/queries';
import { requireGroup } from '../access/groups.ts';
import { requirePrincipal } from '../access/principals.ts';
import { wholeOrPage } from '../http/answer/whole-list.ts';
import { type Context, notFound } from '../http/context.ts';
import { type Route, route } from '../http/route.ts';

interface TargetNames {
  principal?: string | undefined;
  group?: string | undefined;
}

async function targetOf(ctx: Context, { principal, group }: TargetNames): Promise<PolicyTarget> {
  return {
    principalId: principal === undefined ? null : (await requirePrincipal(ctx.db, principal, 'keep')).id,
    groupId: group === undefined ? null : (await requireGroup(ctx.db, group, 'keep')).id,
  };
}

/** A table that policies can hang on. */
async function load(ctx: Context): Promise<StoredTable> {
  const table = await findTableById(ctx.db, ctx.table.id);
  if (table === null) throw notFound('table', ctx.tableName);
  if (table.kind === 'artifact') throw invalid({ pointer: '' }, 'an artifact has no rows and no columns');
  return table;
}

/**
 * Tries the expression on the table's columns, through the same guard and engine that will apply it. A reader is told
 * of no expression that fails; who creates it is told why: `plain` has it in a statement of its own.
 */
async function tryPolicy(
  ctx: Context,
  table: StoredTable,
  { field, policies, plain }: { field: string; policies: Policies; plain: (from: string) => string },
): Promise<void> {
  const { name, namespace, columns } = table;
  const relation = { kind: 'external' as const, format: 'parquet' as const, locations: [], columns };
  const from = `"${namespace}"."${name}"`;
  const attempt = (sql: string, applied: Policies) =>
    describeQuery(ctx.deps.sandbox, { sql, resolve: async () => [{ ...relation, ...applied }] });
  const tried = await attempt(`SELECT * FROM ${from}`, policies);
  if (tried.ok) return;
  const told = await attempt(plain(from), {});
  if (!told.ok) throw invalid({ pointer: field }, told.error.message);
  const wanted = 'must be one expression over columns of the table, without a query of its own';
  throw invalid({ pointer: field }, tried.error.code === 'policy-invalid' ? wanted : tried.error.message);
}

const placeOf = (p: PolicyPlace) => ({
  object: scopeOf({ environment: p.environment, namespace: p.namespace, table: p.table_name }),
  environmentId: p.environment_id,
});

const createFilter = route(endpoints.createRowFilter, async (ctx) => {
  const table = await load(ctx);
  const { predicate, principal, group } = ctx.body;
  const plain = (from: string) => `SELECT 1 FROM ${from} WHERE (\n${predicate}\n)`;
  await tryPolicy(ctx, table, { field: '/predicate', policies: { rowFilters: [predicate] }, plain });
  const id = ctx.deps.newId();
  const target = await targetOf(ctx, ctx.body);
  await createRowFilter(ctx.db, {
    id,
    tableId: table.id,
    ...target,
    predicate,
    createdBy: ctx.caller.id,
    now: ctx.now,
  });
  const made = (await findRowFilter(ctx.db, id))!;
  const detail = {
    row_filter_id: id,
    table_id: table.id,
    predicate,
    principal: principal ?? null,
    group: group ?? null,
  };
  await ctx.audit({ type: 'ROW_FILTER_CREATED', ...placeOf(made), detail });
  return (await listRowFilters(ctx.db, table.id)).find((filter) => filter.id === id)!;
});

const ageOf = ({ created_at, id }: { created_at: string; id: string }) => [created_at, id];

const listFilters = route(endpoints.listRowFilters, async (ctx) =>
  wholeOrPage(ctx, await listRowFilters(ctx.db, ctx.table.id), ageOf),
);

const deleteFilter = route(endpoints.deleteRowFilter, async (ctx) => {
  const { id } = ctx.params;
  const found = isUuid(id) ? await findRowFilter(ctx.db, id) : null;
  if (found === null) throw notFound('row filter', id);
  if (!(await endPolicy(ctx.db, { kind: 'row_filter', id, by: ctx.caller.id, now: ctx.now })))
    throw notFound('row filter', id);
  const { table_id, predicate, principal, group } = found;
  await ctx.audit({
    type: 'ROW_FILTER_DELETED',
    ...placeOf(found),
    detail: { row_filter_id: id, table_id, predicate, principal, group },
  });
  return undefined;
});

const createMask = route(endpoints.createColumnMask, async (ctx) => {
  const table = await load(ctx);
  const { column, expression, principal, group } = ctx.body;
  const known = table.columns.find(({ name }) => name.toLowerCase() === column.toLowerCase());
  if (known === undefined) throw invalid({ pointer: '/column' }, `the table has no column ${column}`);
  const plain = (from: string) => `SELECT (\n${expression}\n) FROM ${from}`;
  await tryPolicy(ctx, table, {
    field: '/expression',
    policies: { masks: [{ column: known.name, expression }] },
    plain,
  });
  const id = ctx.deps.newId();
  const target = await targetOf(ctx, ctx.body);
  await createColumnMask(ctx.db, {
    id,
    tableId: table.id,
    ...target,
    column: known.name,
    expression,
    createdBy: ctx.caller.id,
    now: ctx.now,
  });
  const made = (await findColumnMask(ctx.db, id))!;
  const detail = {
    column_mask_id: id,
    table_id: table.id,
    column: known.name,
    expression,
    principal: principal ?? null,
    group: group ?? null,
  };
  await ctx.audit({ type: 'COLUMN_MASK_CREATED', ...placeOf(made), detail });
  return (await listColumnMasks(ctx.db, table.id)).find((mask) => mask.id === id)!;
});

const listMasks = route(endpoints.listColumnMasks, async (ctx) =>
  wholeOrPage(ctx, await listColumnMasks(ctx.db, ctx.table.id), ageOf),
);

const deleteMask = route(endpoints.deleteColumnMask, async (ctx) => {
  const { id } = ctx.params;
  const found = isUuid(id) ? await findColumnMask(ctx.db, id) : null;
  if (found === null) throw notFound('column mask', id);
  if (!(await endPolicy(ctx.db, { kind: 'column_mask', id, by: ctx.caller.id, now: ctx.now })))
    throw notFound('column mask', id);
  const { table_id, column, expression, principal, group } = found;
  await ctx.audit({
    type: 'COLUMN_MASK_DELETED',
    ...placeOf(found),
    detail: { column_mask_id: id, table_id, column, expression, principal, group },
  });
  return undefined;
});

export const policyRoutes: Route[] = [createFilter, listFilters, deleteFilter, createMask, listMasks, deleteMask];
