import type { TableHealth } from '@svc/core/tables';
import { listReaders, readActivity, type StoredTable } from '@svc/db/tables';
import { scanFiles, UnsupportedTableError } from '@svc/iceberg';
import { countOthers, recordActivity } from '../audit/activity.ts';
import type { Context } from '../http/context.ts';
import { readMetadata } from './metadata.ts';
import { isCallerBound } from './record.ts';

/** Files below this many bytes slow reads down; compaction merges them. */
const SMALL_BYTES = 32 * 1024 * 1024;
const DAY_MS = 86_400_000;

/**
 * The health of a table. Only callers who maintain or own it see its readers, and the view is recorded (`AUDIT-6`).
 */
export async function tableHealth(ctx: Context<unknown, { days: number }>, table: StoredTable): Promise<TableHealth> {
  const { days } = ctx.query;
  const activity = await readActivity(ctx.db, table.id);
  const size = (await isCallerBound(ctx, table.id)) ? UNKNOWN_SIZE : await sizeOf(ctx, table, activity.fileCount);
  return {
    table: `${table.namespace}.${table.name}`,
    days,
    last_write_at: activity.lastWriteAt?.toISOString() ?? null,
    last_read_at: activity.lastReadAt?.toISOString() ?? null,
    ...size,
    readers: await readers(ctx, table, days),
  };
}

type Size = Pick<TableHealth, 'row_count' | 'size_bytes' | 'file_count' | 'small_files' | 'snapshots'>;

/** For callers bound by a policy, because these numbers count hidden rows. */
const UNKNOWN_SIZE: Size = { row_count: null, size_bytes: null, file_count: null, small_files: null, snapshots: null };

async function sizeOf(ctx: Context, table: StoredTable, fileCount: number | null): Promise<Size> {
  return {
    row_count: table.row_count === null ? null : Number(table.row_count),
    size_bytes: table.size_bytes === null ? null : Number(table.size_bytes),
    file_count: fileCount,
    ...(await files(ctx, table)),
  };
}

async function files(ctx: Context, table: StoredTable): Promise<Pick<TableHealth, 'small_files' | 'snapshots'>> {
  if (table.kind !== 'managed' || table.metadata_location === null) return { small_files: null, snapshots: null };
  const metadata = await readMetadata(ctx.deps.store, table.metadata_location);
  // If another engine's files can't be read, queries report it; the rest of the response is still valid.
  const scan = await scanFiles(ctx.deps.store, metadata).catch((error: unknown) => {
    if (error instanceof UnsupportedTableError) return null;
    throw error;
  });
  return {
    small_files: scan?.files.filter((file) => file.bytes < SMALL_BYTES).length ?? null,
    snapshots: metadata.snapshots.length,
  };
}

async function readers(ctx: Context, table: StoredTable, days: number): Promise<TableHealth['readers']> {
  if (!ctx.isOwner(table.owner_id, 'MAINTAIN_TABLE') && !ctx.decide('MAINTAIN_TABLE').allowed) return null;
  const rows = await listReaders(ctx.db, { tableId: table.id, since: new Date(ctx.now.getTime() - days * DAY_MS) });
  await recordActivity(ctx, {
    view: 'table_readers',
    object: ctx.scope({ namespace: table.namespace, table: table.name }),
    objectId: table.id,
    filters: { days },
    ...countOthers(ctx, rows, (row) => row.principalId),
    targetingKey: null,
  });
  return rows.map(({ principal, reads, lastReadAt }) => ({ principal, reads, last_read_at: lastReadAt.toISOString() }));
}
