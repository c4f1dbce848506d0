import type pg from 'pg';
import type { Database, Transaction } from '../connection/open.ts';

/** A shared advisory lock that each backup holds while it copies. */
export const BACKUP_LOCK = 72_707_371;

export async function acquireBackupLock(client: pg.Client): Promise<void> {
  await client.query('SELECT pg_advisory_lock_shared($1)', [BACKUP_LOCK]);
}

/** Keeps backups from starting until the transaction is over. Returns false if one is copying. */
export async function tryLockBackups(client: Transaction): Promise<boolean> {
  const rows = await client.$queryRaw<{ free: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(${BACKUP_LOCK}::bigint) AS free`;
  return rows[0]?.free === true;
}

/**
 * Whether a backup is copying files. If so, nothing may be deleted, because its rows may name what is no longer in use.
 * A backup that starts after this check only has rows that are at least as new as what its caller read before.
 *
 * It reads the locks instead of trying to take one: two checks at once must not take each other for a backup.
 */
export async function isBackupUnderWay({ prisma }: Pick<Database, 'prisma'>): Promise<boolean> {
  const rows = await prisma.$queryRaw<{ copying: boolean }[]>`
    SELECT EXISTS (SELECT 1 FROM pg_locks
      WHERE locktype = 'advisory' AND classid = 0 AND objid = ${BACKUP_LOCK}::int::oid AND objsubid = 1 AND granted
        AND mode = 'ShareLock' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    ) AS copying`;
  return rows[0]?.copying === true;
}
