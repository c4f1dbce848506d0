import { jsonText, type Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';

export interface TableReads {
  tableIds: readonly string[];
  principalId: string;
  now: Date;
}

/** Records a query's successful read of each table, which counts as activity (RETAIN-3). */
export async function recordReads(client: Transaction, reads: TableReads): Promise<void> {
  if (reads.tableIds.length > 0) await client.$executeRaw`WITH ${readsOf(reads)} SELECT 1`;
}

/**
 * `recordReads` as parts of a WITH clause. With `when`, the named part must return a row for the reads to be recorded.
 */
export function readsOf({ tableIds, principalId, now }: TableReads, when?: 'finished'): Prisma.Sql {
  const only = when === undefined ? Prisma.empty : Prisma.raw(`, ${when}`);
  const ids = Prisma.sql`unnest(${[...tableIds]}::uuid[]) AS x(id)`;
  return Prisma.sql`
    noted AS (INSERT INTO table_reads (table_id, principal_id, read_at)
      SELECT x.id, ${principalId}::uuid, ${now}::timestamptz FROM ${ids}${only}),
    touched AS (UPDATE tables SET last_read_at = ${now}::timestamptz FROM ${ids}${only}
      WHERE tables.id = x.id AND (last_read_at IS NULL OR last_read_at < ${now}::timestamptz))`;
}

interface TableRead {
  tableId: string;
  principalId: string;
  now: Date;
}

/**
 * Reads of several principals, as parts of a WITH clause. Nobody waits for a table that someone else is changing: the part
 * `skipped` has the reads for which the caller must call `touchTable`.
 */
export function readsOfMany(reads: readonly TableRead[]): Prisma.Sql {
  return Prisma.sql`
    reads AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${jsonText(reads)}::jsonb) AS x("tableId" uuid, "principalId" uuid, now timestamptz)),
    noted AS (INSERT INTO table_reads (table_id, principal_id, read_at) SELECT "tableId", "principalId", now FROM reads),
    latest AS MATERIALIZED (SELECT "tableId" AS id, max(now) AS now FROM reads GROUP BY 1),
    free AS MATERIALIZED (
      SELECT t.id, latest.now FROM tables t JOIN latest USING (id)
      WHERE t.last_read_at IS NULL OR t.last_read_at < latest.now FOR NO KEY UPDATE OF t SKIP LOCKED),
    touched AS (UPDATE tables SET last_read_at = free.now FROM free WHERE tables.id = free.id),
    skipped AS (
      SELECT latest.id, latest.now FROM latest JOIN tables t USING (id)
      WHERE (t.last_read_at IS NULL OR t.last_read_at < latest.now) AND id NOT IN (SELECT id FROM free))`;
}

/** Records when a table was last read, as soon as nobody is changing it. */
export async function touchTable(client: Transaction, { id, now }: { id: string; now: Date }): Promise<void> {
  await client.$executeRaw`
    UPDATE tables SET last_read_at = ${now} WHERE id = ${id}::uuid AND (last_read_at IS NULL OR last_read_at < ${now})`;
}

export interface TableReaders {
  principalId: string;
  principal: string;
  reads: number;
  lastReadAt: Date;
}

/** Lists who read a table since a time or since its restore, most reads first. */
export async function listReaders(
  client: Transaction,
  { tableId, since }: { tableId: string; since: Date },
): Promise<TableReaders[]> {
  const rows = await client.$queryRaw<{ principal_id: string; principal: string | null; reads: bigint; last: Date }[]>`
    SELECT r.principal_id, p.name AS principal, count(*) AS reads, max(r.read_at) AS last
    FROM tables t JOIN table_reads r ON r.table_id = t.id LEFT JOIN principals p ON p.id = r.principal_id
    WHERE t.id = ${tableId}::uuid AND r.read_at >= greatest(${since}::timestamptz, t.restored_at)
    GROUP BY r.principal_id, p.name ORDER BY count(*) DESC, p.name`;
  return rows.map((r) => ({
    principalId: r.principal_id,
    principal: r.principal ?? '',
    reads: Number(r.reads),
    lastReadAt: r.last,
  }));
}

/**
 * Deletes up to `limit` recorded reads older than `SVC_TABLE_READS__KEEP_DAYS` (RETAIN-7). If none is left, the table's
 * activity is its last catalog change (RETAIN-3). Returns how many were deleted.
 */
export async function removeOldReads(
  client: Transaction,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const rows = await client.$queryRaw<{ removed: bigint }[]>`
    WITH old AS (
      DELETE FROM table_reads WHERE id IN (SELECT id FROM table_reads WHERE read_at < ${before} ORDER BY read_at LIMIT ${limit})
      RETURNING table_id),
    forgotten AS (
      UPDATE tables SET last_read_at = NULL
      WHERE id IN (SELECT table_id FROM old) AND last_read_at < ${before})
    SELECT count(*) AS removed FROM old`;
  return Number(rows[0]!.removed);
}

/** When a table was last written and read, and its files. */
export async function readActivity(
  client: Transaction,
  id: string,
): Promise<{ lastWriteAt: Date | null; lastReadAt: Date | null; fileCount: number | null }> {
  const row = await client.table.findUniqueOrThrow({
    where: { id },
    select: { last_write_at: true, last_read_at: true, file_count: true },
  });
  return { lastWriteAt: row.last_write_at, lastReadAt: row.last_read_at, fileCount: row.file_count };
}
