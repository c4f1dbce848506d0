import type { Column } from '@svc/core/tables';
import { insertEvents, type NewEvent } from '../audit/index.ts';
import { jsonText, type Transaction } from '../connection/index.ts';
import { hasLegalHoldSql, requireNoLegalHold } from '../drops/index.ts';
import { Prisma } from '../generated/client.ts';
import type { TableContents } from './create-table.ts';
import { insertSnapshotSources, type NewSnapshotSource } from './snapshot-sources.ts';

export interface TableChange {
  id: string;
  now: Date;
  description?: string | null | undefined;
  columns?: readonly Column[] | undefined;
  ownerId?: string | undefined;
}

/**
 * Changes the description, columns or owner of a table, unless it is dropped. With none of them, the call only records activity,
 * as every change does (RETAIN-3).
 */
export async function updateTable(client: Transaction, change: TableChange): Promise<void> {
  await client.table.updateMany({
    where: { id: change.id, dropped_at: null },
    data: {
      updated_at: change.now,
      last_write_at: change.now,
      ...(change.description === undefined ? {} : { description: change.description }),
      ...(change.columns === undefined ? {} : { columns: change.columns as unknown as object[] }),
      ...(change.ownerId === undefined ? {} : { owner_id: change.ownerId }),
    },
  });
}

export interface PointerSwap {
  id: string;
  /** The expected current metadata location. */
  expected: string | null;
  next: string;
  contents: TableContents;
  /** Set only if the schema changed. */
  columns?: readonly Column[] | undefined;
  /** Set only if the description changed. */
  description?: string | null | undefined;
  /** Whether the table then lacks snapshots, whose files are deleted later: a legal hold forbids it. */
  removesSnapshots?: boolean;
  /** Null removes it; absent leaves it. */
  watermark?: string | null | undefined;
  now: Date;
}

/**
 * Swaps a table's metadata pointer if it still has the expected value, for a commit of svc. Commits of engines use
 * `swapAndNotify`, which runs the same statement. Returns false if another commit was first, the table was dropped, or a legal hold on it
 * forbids the removal of snapshots.
 */
export async function swapTablePointer(client: Transaction, swap: PointerSwap): Promise<boolean> {
  return (await client.$executeRaw`${swapStatement(swap)}`) === 1;
}

/**
 * Swaps the pointer and writes the audit events (at least one) and who made the snapshots in a single statement, which is a
 * transaction by itself.
 */
export async function swapAndNotify(
  client: Transaction,
  swap: PointerSwap,
  { events, snapshots }: { events: readonly NewEvent[]; snapshots: readonly NewSnapshotSource[] },
): Promise<boolean> {
  const recorded = await client.$executeRaw`
    WITH swapped AS (${swapStatement(swap)} RETURNING t.id),
      sources AS (${insertSnapshotSources(snapshots, Prisma.sql`CROSS JOIN swapped`)})
    ${insertEvents(events, Prisma.sql`CROSS JOIN swapped`)}`;
  return recorded > 0;
}

function swapStatement(swap: PointerSwap): Prisma.Sql {
  const { contents, columns, description, removesSnapshots = false } = swap;
  return Prisma.sql`
    UPDATE tables t SET metadata_location = ${swap.next}, snapshot_id = ${contents.snapshotId},
      row_count = ${contents.rowCount}, size_bytes = ${contents.sizeBytes}, file_count = ${contents.fileCount},
      columns = coalesce(${columns === undefined ? null : jsonText(columns)}::jsonb, t.columns),
      description = CASE WHEN ${description === undefined} THEN t.description ELSE ${description ?? null} END,
      watermark = CASE WHEN ${swap.watermark === undefined} THEN t.watermark ELSE ${swap.watermark ?? null} END, updated_at = ${swap.now}, last_write_at = ${swap.now}
    WHERE t.id = ${swap.id}::uuid AND t.metadata_location IS NOT DISTINCT FROM ${swap.expected} AND t.dropped_at IS NULL
      ${removesSnapshots ? Prisma.sql`AND NOT ${hasLegalHoldSql(swap.now)}` : Prisma.empty}`;
}

/**
 * Replaces a view's statement and columns, or an artifact's file, after a run of its project. Returns false if it was
 * dropped. @throws ApiError `table-held` for an artifact under a legal hold, whose previous file the sweep would delete
 */
export async function replaceObject(
  client: Transaction,
  change: {
    id: string;
    now: Date;
    columns: readonly Column[];
    description: string | null;
    viewSql?: string;
    location?: string;
    sizeBytes?: number;
  },
): Promise<boolean> {
  const { count } = await client.table.updateMany({
    where: { id: change.id, dropped_at: null },
    data: {
      columns: change.columns as unknown as object[],
      description: change.description,
      updated_at: change.now,
      last_write_at: change.now,
      // The project's statement replaces a view definition that an engine committed.
      ...(change.viewSql === undefined ? {} : { view_sql: change.viewSql, metadata_location: null }),
      ...(change.location === undefined ? {} : { location: change.location }),
      ...(change.sizeBytes === undefined ? {} : { size_bytes: change.sizeBytes }),
    },
  });
  // After the update, which has locked the row: a hold may have been placed a moment ago.
  if (change.location !== undefined)
    await requireNoLegalHold(client, { id: change.id, action: 'building it again', now: change.now });
  return count === 1;
}
