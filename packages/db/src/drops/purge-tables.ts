import type { TableKind } from '@svc/core/tables';
import { jsonText, type Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { forgetHistory } from './forget-history.ts';
import { hasLegalHoldSql } from './hold-errors.ts';

/** A dropped table whose files will be deleted. */
export interface Purge {
  id: string;
  kind: TableKind;
  location: string | null;
  purge_after: Date;
}

/** Where the next batch of due tables starts. */
export interface PurgePosition {
  at: Date;
  id: string;
}

/**
 * Locks dropped tables whose undo period has expired, longest expired first, strictly after a position; from now on
 * they can't be restored. The call waits for an undrop in progress, because a refused one must not delay the deletion.
 * It skips tables under a legal hold and tables whose folder contains another table's files, which must be deleted
 * first (DROP-4).
 */
export async function claimPurges(
  client: Transaction,
  { now, after, limit }: { now: Date; after: PurgePosition | null; limit: number },
): Promise<Purge[]> {
  const start =
    after === null ? Prisma.empty : Prisma.sql`AND (t.purge_after, t.id) > (${after.at}, ${after.id}::uuid)`;
  return client.$queryRaw<Purge[]>`
    WITH due AS (
      SELECT t.id FROM tables t
      WHERE t.dropped_at IS NOT NULL AND t.purged_at IS NULL AND t.purge_after <= ${now} ${start}
        AND NOT ${hasLegalHoldSql(now)} AND NOT EXISTS (
          SELECT 1 FROM tables i WHERE i.purged_at IS NULL AND i.location COLLATE "C" > t.location || '/'
            AND i.location COLLATE "C" < t.location || '0')
      ORDER BY t.purge_after, t.id LIMIT ${limit} FOR UPDATE OF t
    ), taken AS (
      UPDATE tables t SET purge_started_at = coalesce(t.purge_started_at, ${now}::timestamptz),
        purge_attempts = t.purge_attempts + 1, purge_error = NULL
      FROM due WHERE t.id = due.id RETURNING t.id, t.kind, t.location, t.purge_after
    )
    SELECT * FROM taken ORDER BY purge_after, id`;
}

/** Counts deleted files; a resumed sweep adds to the count. */
export async function addPurged(
  client: Transaction,
  { id, files, bytes }: { id: string; files: number; bytes: number },
): Promise<void> {
  await client.$executeRaw`
    UPDATE tables SET purge_files = purge_files + ${files}, purge_bytes = purge_bytes + ${bytes}
    WHERE id = ${id}::uuid AND purged_at IS NULL`;
}

/** Stores why the storage refused the deletion; the next sweep tries again. */
export async function recordPurgeError(
  client: Transaction,
  { id, error }: { id: string; error: string },
): Promise<void> {
  await client.$executeRaw`UPDATE tables SET purge_error = ${error} WHERE id = ${id}::uuid AND purged_at IS NULL`;
}

export interface PurgedTable {
  id: string;
  name: string;
  namespace: string;
  environment: string;
  environment_id: string;
  files: number;
  bytes: number;
}

/** Completes deletions and returns them, without those that another sweep completed first. */
export async function finishPurges(
  client: Transaction,
  { purged, now }: { purged: readonly { id: string; files: number; bytes: number }[]; now: Date },
): Promise<PurgedTable[]> {
  if (purged.length === 0) return [];
  const rows = await client.$queryRaw<(Omit<PurgedTable, 'files' | 'bytes'> & { files: bigint; bytes: bigint })[]>`
    UPDATE tables t SET purged_at = ${now}, purge_files = t.purge_files + x.files, purge_bytes = t.purge_bytes + x.bytes
    FROM jsonb_to_recordset(${jsonText(purged)}::jsonb) AS x(id uuid, files bigint, bytes bigint), namespaces n,
      environments e
    WHERE t.id = x.id AND t.purge_started_at IS NOT NULL AND t.purged_at IS NULL AND n.id = t.namespace_id
      AND e.id = t.environment_id
    RETURNING t.id, t.name, n.path AS namespace, e.name AS environment, t.environment_id, t.purge_files AS files,
      t.purge_bytes AS bytes`;
  await forgetHistory(
    client,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...row, files: Number(row.files), bytes: Number(row.bytes) }));
}
