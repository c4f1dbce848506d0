import { nameKey } from '@svc/core/access';
import { type DroppedTable, type DropReason, type TablePurge, undropFailure } from '@svc/core/drops';
import type { TableKind } from '@svc/core/tables';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { before, type Page, type PageRequest, pageOf } from '../paging/index.ts';
import { type VisibleTables, visibleTablesSql } from '../tables/visible-tables.ts';
import { hasLegalHoldSql } from './hold-errors.ts';

interface DropRow {
  id: string;
  name: string;
  namespace: string;
  kind: TableKind;
  dropped_at: Date;
  purge_after: Date | null;
  purge_started_at: Date | null;
  drop_reason: DropReason;
  held: boolean;
}

interface PurgeRow extends DropRow {
  purge_after: Date;
  purged_at: Date | null;
  purge_files: bigint;
  purge_bytes: bigint;
  purge_attempts: number;
  purge_error: string | null;
}

interface InNamespace {
  environmentId: string;
  namespace: string;
  page: PageRequest;
  now: Date;
}

// If a namespace was dropped and created again, its path matches both, so tables of the earlier one are listed too.
const namespacesOf = ({ environmentId, namespace }: InNamespace) => Prisma.sql`
  namespaces n WHERE n.environment_id = ${environmentId}::uuid AND n.path_key = ${nameKey(namespace)}`;

/** Lists dropped tables of a namespace whose files still exist, newest first (DROP-14). */
export async function listDropped(client: Transaction, q: InNamespace): Promise<Page<DroppedTable>> {
  const rows = await client.$queryRaw<DropRow[]>`
    SELECT t.id, t.name, n.path AS namespace, t.kind, t.dropped_at, t.purge_after, t.purge_started_at, t.drop_reason,
           ${hasLegalHoldSql(q.now)} AS held
    FROM tables t JOIN (SELECT n.id, n.path FROM ${namespacesOf(q)}) n ON n.id = t.namespace_id
    WHERE t.dropped_at IS NOT NULL AND t.purged_at IS NULL ${before(q.page, 't.dropped_at', 't.id')}
    ORDER BY t.dropped_at DESC, t.id DESC LIMIT ${q.page.limit + 1}`;
  return pageOf(
    rows,
    q.page,
    (row) => droppedRecord(row, q.now),
    (row) => row.dropped_at,
  );
}

interface Restorable {
  environmentId: string;
  visible: VisibleTables;
  limit: number;
  now: Date;
}

/** The dropped tables of an environment that can be restored, those with the least time left first. */
export async function listRestorable(client: Transaction, q: Restorable): Promise<DroppedTable[]> {
  const rows = await client.$queryRaw<DropRow[]>`
    SELECT t.id, t.name, n.path AS namespace, t.kind, t.dropped_at, t.purge_after, t.purge_started_at, t.drop_reason,
           ${hasLegalHoldSql(q.now)} AS held
    FROM tables t JOIN namespaces n ON n.id = t.namespace_id
    WHERE t.environment_id = ${q.environmentId}::uuid AND t.dropped_at IS NOT NULL AND t.purged_at IS NULL
      AND t.drop_reason <> 'purge' AND t.purge_started_at IS NULL AND t.purge_after > ${q.now}
      ${visibleTablesSql(q.visible)}
    ORDER BY t.purge_after, t.id LIMIT ${q.limit}`;
  return rows.map((row) => droppedRecord(row, q.now));
}

function droppedRecord(row: DropRow, now: Date): DroppedTable {
  const drop = { reason: row.drop_reason, purgeAfter: row.purge_after, purgeStartedAt: row.purge_started_at };
  return {
    name: row.name,
    namespace: row.namespace,
    uuid: row.id,
    kind: row.kind,
    dropped_at: row.dropped_at.toISOString(),
    purge_after: row.purge_after?.toISOString() ?? null,
    restorable: undropFailure(drop, now) === null,
    reason: row.drop_reason,
    held: row.held,
  };
}

/** Lists purges of dropped tables (due, in progress or done), latest due date first. */
export async function listPurges(client: Transaction, q: InNamespace): Promise<Page<TablePurge>> {
  const rows = await client.$queryRaw<PurgeRow[]>`
    SELECT t.id, t.name, n.path AS namespace, t.kind, t.dropped_at, t.purge_after, t.purge_started_at, t.drop_reason,
           t.purged_at, t.purge_files, t.purge_bytes, t.purge_attempts, t.purge_error, ${hasLegalHoldSql(q.now)} AS held
    FROM tables t JOIN (SELECT n.id, n.path FROM ${namespacesOf(q)}) n ON n.id = t.namespace_id
    WHERE t.purge_after IS NOT NULL AND t.purge_after <= ${q.now} ${before(q.page, 't.purge_after', 't.id')}
    ORDER BY t.purge_after DESC, t.id DESC LIMIT ${q.page.limit + 1}`;
  return pageOf(rows, q.page, purgeRecord, (row) => row.purge_after);
}

function purgeRecord(row: PurgeRow): TablePurge {
  return {
    name: row.name,
    namespace: row.namespace,
    uuid: row.id,
    state: row.purged_at !== null ? 'deleted' : row.purge_started_at !== null ? 'deleting' : 'due',
    dropped_at: row.dropped_at.toISOString(),
    purge_after: row.purge_after.toISOString(),
    started_at: row.purge_started_at?.toISOString() ?? null,
    purged_at: row.purged_at?.toISOString() ?? null,
    files: Number(row.purge_files),
    bytes: Number(row.purge_bytes),
    attempts: row.purge_attempts,
    error: row.purge_error,
    held: row.held,
  };
}
