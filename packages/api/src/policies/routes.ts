import { invalid } from '@svc/core/errors';
import { isUuid } from '@svc/core/ids';
import { policyEndpoints as endpoints } from '@svc/core/policies';
import {
  createColumnMask,
  createRowFilter,
  deletePolicy,
  findColumnMask,
  findRowFilter,
  listColumnMasks,
  listRowFilters,
  type PolicyTarget,
  type StoredField,
} from '@svc/db/policies';
import type { StoredTable } from '@svc/db/tables';
import { currentSchema, readTableMetadata, unknownColumn } from '@svc/iceberg';
import { validatePolicy } from '@svc/lake/queries';
import { requireGroup } from '../access/groups.ts';
import { requirePrincipal } from '../access/principals.ts';
import type { Context } from '../http/context.ts';
import { allOrPage } from '../http/response/all-or-page.ts';
import { notFound } from '../http/response/shared-errors.ts';
import { type Route, route } from '../http/route.ts';
import { findColumn } from '../tables/find-column.ts';
import { filterDeleted, maskDeleted, scopeOfPolicy } from './policy-events.ts';
import { policyTable } from './policy-table.ts';
import { previewRoute } from './preview.ts';

interface TargetNames {
  principal?: string | undefined;
  group?: string | undefined;
}

async function targetOf(ctx: Context, { principal, group }: TargetNames): Promise<PolicyTarget> {
  return {
    principalId: principal === undefined ? null : (await requirePrincipal(ctx.db, principal, 'share')).id,
    groupId: group === undefined ? null : (await requireGroup(ctx.db, group, 'share')).id,
  };
}

/** Checks a policy against the table's columns and resolves the fields it applies to. */
async function tryOn(
  ctx: Context,
  table: StoredTable,
  policy: Parameters<typeof validatePolicy>[2],
  pointer: string,
): Promise<{ fields: StoredField[] | null }> {
  const { namespace, name, columns, metadata_location: location } = table;
  const managed = table.kind === 'managed' && location !== null;
  const fields = managed ? currentSchema(await readTableMetadata(ctx.deps.store, location)).fields : null;
  const checked = { name: [namespace, name], columns, fields };
  const tried = await validatePolicy(ctx.deps.sandbox, checked, policy, ctx.caller.id);
  if (!tried.ok) throw invalid({ pointer }, tried.message);
  return { fields: tried.fields?.map(({ path, id }) => ({ path: [...path], id })) ?? null };
}

const createFilter = route(endpoints.createRowFilter, async (ctx) => {
  const table = await policyTable(ctx);
  const { predicate, principal, group, replaces } = ctx.body;
  const { fields } = await tryOn(ctx, table, { filter: { predicate } }, '/predicate');
  const id = ctx.deps.newId();
  const target = await targetOf(ctx, ctx.body);
  if (replaces !== undefined) await endFilter(ctx, replaces, table.id);
  await createRowFilter(ctx.db, {
    id,
    tableId: table.id,
    ...target,
    fields,
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
  await ctx.audit({ type: 'ROW_FILTER_CREATED', ...scopeOfPolicy(made), detail });
  return (await listRowFilters(ctx.db, table.id)).find((filter) => filter.id === id)!;
});

const ageOf = ({ created_at, id }: { created_at: string; id: string }) => [created_at, id];

const listFilters = route(endpoints.listRowFilters, async (ctx) =>
  allOrPage(ctx, await listRowFilters(ctx.db, ctx.table.id), ageOf),
);

/** Ends a row filter, of this table if it is given. */
async function endFilter(ctx: Context, id: string, tableId?: string): Promise<void> {
  const found = isUuid(id) ? await findRowFilter(ctx.db, id) : null;
  if (found === null || (tableId !== undefined && found.table_id !== tableId)) throw notFound('row filter', id);
  if (!(await deletePolicy(ctx.db, { kind: 'row_filter', id, by: ctx.caller.id, now: ctx.now })))
    throw notFound('row filter', id);
  await ctx.audit(filterDeleted(found));
}

const deleteFilter = route(endpoints.deleteRowFilter, async (ctx) => {
  await endFilter(ctx, ctx.params.id);
  return undefined;
});

const createMask = route(endpoints.createColumnMask, async (ctx) => {
  const table = await policyTable(ctx);
  const { column, expression, principal, group, replaces } = ctx.body;
  const known = findColumn(table.columns, column);
  if (known === undefined) throw invalid({ pointer: '/column' }, unknownColumn(column, table.columns));
  const { fields } = await tryOn(ctx, table, { mask: { column: known.name, expression } }, '/expression');
  const id = ctx.deps.newId();
  const target = await targetOf(ctx, ctx.body);
  if (replaces !== undefined) await endMask(ctx, replaces, table.id);
  await createColumnMask(ctx.db, {
    id,
    tableId: table.id,
    ...target,
    fields,
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
  await ctx.audit({ type: 'COLUMN_MASK_CREATED', ...scopeOfPolicy(made), detail });
  return (await listColumnMasks(ctx.db, table.id)).find((mask) => mask.id === id)!;
});

const listMasks = route(endpoints.listColumnMasks, async (ctx) =>
  allOrPage(ctx, await listColumnMasks(ctx.db, ctx.table.id), ageOf),
);

/** Ends a column mask, of this table if it is given. */
async function endMask(ctx: Context, id: string, tableId?: string): Promise<void> {
  const found = isUuid(id) ? await findColumnMask(ctx.db, id) : null;
  if (found === null || (tableId !== undefined && found.table_id !== tableId)) throw notFound('column mask', id);
  if (!(await deletePolicy(ctx.db, { kind: 'column_mask', id, by: ctx.caller.id, now: ctx.now })))
    throw notFound('column mask', id);
  await ctx.audit(maskDeleted(found));
}

const deleteMask = route(endpoints.deleteColumnMask, async (ctx) => {
  await endMask(ctx, ctx.params.id);
  return undefined;
});

export const policyRoutes: Route[] = [
  createFilter,
  listFilters,
  deleteFilter,
  createMask,
  listMasks,
  deleteMask,
  previewRoute,
];
