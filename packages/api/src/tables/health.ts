import type { TableHealth } from '@svc/core/tables';
import { listReaders, readActivity, type StoredTable } from '@svc/db/tables';
import { scanFiles } from '@svc/lake/tables';
import { countOthers, recordActivity } from '../audit/activity.ts';
import type { Context } from '../http/context.ts';
import { readMetadata } from './metadata.ts';

/** Files below this many bytes make a table slow to read: compaction joins them. */
const SMALL_BYTES = 32 * 1024 * 1024;
const DAY_MS = 86_400_000;

/** The health of a table; who reads it shows to who maintains or owns it, and the look is recorded. */
export async function tableHealth(ctx: Context<unknown, { days: number }>, table: StoredTable): Promise<TableHealth> {
  const { days } = ctx.query;
  const activity = await readActivity(ctx.db, table.id);
  return {
    table: `${table.namespace}.${table.name}`,
    days,
    last_write_at: activity.lastWriteAt?.toISOString() ?? null,
    last_read_at: activity.lastReadAt?.toISOString() ?? null,
    row_count: table.row_count === null ? null : Number(table.row_count),
    size_bytes: table.size_bytes === null ? null : Number(table.size_bytes),
    file_count: activity.fileCount,
    ...(await files(ctx, table)),
    readers: await readers(ctx, table, days),
  };
}

async function files(ctx: Context, table: StoredTable): Promise<Pick<TableHealth, 'small_files' | 'snapshots'>> {
  if (table.kind !== 'managed' || table.metadata_location === null) return { small_files: null, snapshots: null };
  const metadata = await readMetadata(ctx.deps.store, table.metadata_location);
  const scan = await scanFiles(ctx.deps.store, metadata);
  return {
    small_files: scan.files.filter((file) => file.bytes < SMALL_BYTES).length,
    snapshots: metadata.snapshots.length,
  };
}

async function readers(ctx: Context, table: StoredTable, days: number): Promise<TableHealth['readers']> {
  const owner = !ctx.isTask && table.owner_id === ctx.caller.id;
  if (!owner && !ctx.decide('MAINTAIN_TABLE').allowed) return null;
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
