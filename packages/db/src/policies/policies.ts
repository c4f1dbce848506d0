import { ApiError } from '@svc/core/errors';
import type { ColumnMask, RowFilter } from '@svc/core/policies';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { requireLiveTable } from '../tables/index.ts';
import type { StoredField } from './policy-state.ts';

/** The principal or group that a policy binds; exactly one of them is set. */
export interface PolicyTarget {
  principalId: string | null;
  groupId: string | null;
}

interface NewPolicy extends PolicyTarget {
  id: string;
  tableId: string;
  /** The fields that the policy was created for; null if the table's columns have no field ids. */
  fields: readonly StoredField[] | null;
  createdBy: string;
  now: Date;
}

const base = (p: NewPolicy) => ({
  id: p.id,
  table_id: p.tableId,
  principal_id: p.principalId,
  group_id: p.groupId,
  ...(p.fields && { fields: p.fields.map(({ path, id }) => ({ path, id })) }),
  created_at: p.now,
  created_by: p.createdBy,
});

/**
 * Rejects a second policy for the same target (TABLE-8) and policies on dropped tables. The lock makes a concurrent
 * policy visible to the later caller.
 */
async function requireNoDuplicate(
  client: Transaction,
  kind: string,
  p: NewPolicy,
  find: () => Promise<{ id: string } | null>,
): Promise<void> {
  await requireLiveTable(client, p.tableId);
  const key = `${kind} ${p.tableId} ${p.principalId ?? p.groupId}`;
  await client.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`;
  const found = await find();
  if (found === null) return;
  throw new ApiError('already-exists', `This target already has a ${kind}: ${found.id}. Remove it first.`);
}

export async function createRowFilter(client: Transaction, p: NewPolicy & { predicate: string }): Promise<void> {
  const where = { table_id: p.tableId, principal_id: p.principalId, group_id: p.groupId, ended_at: null };
  await requireNoDuplicate(client, 'row filter', p, () => client.rowFilter.findFirst({ where, select: { id: true } }));
  await client.rowFilter.create({ data: { ...base(p), predicate: p.predicate } });
}

export async function createColumnMask(
  client: Transaction,
  p: NewPolicy & { column: string; expression: string },
): Promise<void> {
  const where = {
    table_id: p.tableId,
    principal_id: p.principalId,
    group_id: p.groupId,
    column: p.column,
    ended_at: null,
  };
  await requireNoDuplicate(client, 'column mask', p, () =>
    client.columnMask.findFirst({ where, select: { id: true } }),
  );
  await client.columnMask.create({ data: { ...base(p), column: p.column, expression: p.expression } });
}

type Stored<T extends { created_at: string }> = Omit<T, 'created_at'> & { created_at: Date; table_id: string };

const POLICY_FIELDS = Prisma.sql`
  x.id, x.table_id, n.path || '.' || t.name AS table, p.name AS principal, g.name AS group, x.created_at, x.created_by`;
const POLICY_JOINS = Prisma.sql`
  JOIN tables t ON t.id = x.table_id JOIN namespaces n ON n.id = t.namespace_id
  LEFT JOIN principals p ON p.id = x.principal_id LEFT JOIN groups g ON g.id = x.group_id`;

function rowFilterRecord({
  id,
  table,
  principal,
  group,
  created_at,
  created_by,
  predicate,
}: Stored<RowFilter>): RowFilter {
  return { id, table, principal, group, created_at: created_at.toISOString(), created_by, predicate };
}

function columnMaskRecord(row: Stored<ColumnMask>): ColumnMask {
  const { id, table, principal, group, created_at, created_by, column, expression } = row;
  return { id, table, principal, group, created_at: created_at.toISOString(), created_by, column, expression };
}

/** Lists a table's active row filters, oldest first. */
export async function listRowFilters(client: Transaction, tableId: string): Promise<RowFilter[]> {
  const rows = await client.$queryRaw<Stored<RowFilter>[]>`
    SELECT ${POLICY_FIELDS}, x.predicate FROM row_filters x ${POLICY_JOINS}
    WHERE x.table_id = ${tableId}::uuid AND x.ended_at IS NULL ORDER BY x.created_at, x.id`;
  return rows.map(rowFilterRecord);
}

/** Lists a table's active column masks in the order in which they apply: oldest first (TABLE-8). */
export async function listColumnMasks(client: Transaction, tableId: string): Promise<ColumnMask[]> {
  const rows = await client.$queryRaw<Stored<ColumnMask>[]>`
    SELECT ${POLICY_FIELDS}, x.column, x.expression FROM column_masks x ${POLICY_JOINS}
    WHERE x.table_id = ${tableId}::uuid AND x.ended_at IS NULL ORDER BY x.created_at, x.id`;
  return rows.map(columnMaskRecord);
}

/** The objects that a policy's event refers to. */
export interface PolicyLocation {
  table_id: string;
  environment_id: string;
  environment: string;
  namespace: string;
  table_name: string;
}

const LOCATION_COLUMNS = Prisma.sql`t.environment_id, e.name AS environment, n.path AS namespace, t.name AS table_name`;

export async function findRowFilter(client: Transaction, id: string): Promise<(RowFilter & PolicyLocation) | null> {
  const rows = await client.$queryRaw<(Stored<RowFilter> & PolicyLocation)[]>`
    SELECT ${POLICY_FIELDS}, x.predicate, ${LOCATION_COLUMNS} FROM row_filters x ${POLICY_JOINS}
    JOIN environments e ON e.id = t.environment_id WHERE x.id = ${id}::uuid AND x.ended_at IS NULL`;
  return rows[0] ? { ...rows[0], ...rowFilterRecord(rows[0]) } : null;
}

export async function findColumnMask(client: Transaction, id: string): Promise<(ColumnMask & PolicyLocation) | null> {
  const rows = await client.$queryRaw<(Stored<ColumnMask> & PolicyLocation)[]>`
    SELECT ${POLICY_FIELDS}, x.column, x.expression, ${LOCATION_COLUMNS} FROM column_masks x ${POLICY_JOINS}
    JOIN environments e ON e.id = t.environment_id WHERE x.id = ${id}::uuid AND x.ended_at IS NULL`;
  return rows[0] ? { ...rows[0], ...columnMaskRecord(rows[0]) } : null;
}

/**
 * Revokes the policies of a principal or group that is being deleted, which would bind nobody and look as if they bound a later one of
 * the same name. The filters come first, as in a drop of their table: both lock the rows in the same order.
 */
export async function revokePoliciesFor(
  client: Transaction,
  { target, by, now }: { target: { principalId: string } | { groupId: string }; by: string; now: Date },
): Promise<{ filters: (RowFilter & PolicyLocation)[]; masks: (ColumnMask & PolicyLocation)[] }> {
  const of =
    'principalId' in target
      ? Prisma.sql`x.principal_id = ${target.principalId}::uuid`
      : Prisma.sql`x.group_id = ${target.groupId}::uuid`;
  const revoked = (kind: 'row_filters' | 'column_masks') =>
    Prisma.sql`WITH x AS (UPDATE ${Prisma.raw(kind)} x SET ended_at = ${now}::timestamptz, ended_by = ${by}::uuid
      WHERE ${of} AND x.ended_at IS NULL RETURNING *)`;
  const rest = Prisma.sql`${POLICY_JOINS} JOIN environments e ON e.id = t.environment_id ORDER BY x.created_at, x.id`;
  const filters = await client.$queryRaw<(Stored<RowFilter> & PolicyLocation)[]>`
    ${revoked('row_filters')} SELECT ${POLICY_FIELDS}, x.predicate, ${LOCATION_COLUMNS} FROM x ${rest}`;
  const masks = await client.$queryRaw<(Stored<ColumnMask> & PolicyLocation)[]>`
    ${revoked('column_masks')} SELECT ${POLICY_FIELDS}, x.column, x.expression, ${LOCATION_COLUMNS} FROM x ${rest}`;
  return {
    filters: filters.map((row) => ({ ...row, ...rowFilterRecord(row) })),
    masks: masks.map((row) => ({ ...row, ...columnMaskRecord(row) })),
  };
}

/** Revokes a policy. Returns false if it was revoked already. */
export async function deletePolicy(
  client: Transaction,
  { kind, id, by, now }: { kind: 'row_filter' | 'column_mask'; id: string; by: string; now: Date },
): Promise<boolean> {
  const revocation = { where: { id, ended_at: null }, data: { ended_at: now, ended_by: by } };
  const { count } =
    kind === 'row_filter'
      ? await client.rowFilter.updateMany(revocation)
      : await client.columnMask.updateMany(revocation);
  return count > 0;
}
