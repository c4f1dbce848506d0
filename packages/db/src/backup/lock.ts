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

/** Whether a backup is copying files. If so, nothing may be deleted, because the backup may already list it. */
export async function isBackupUnderWay({ prisma }: Pick<Database, 'prisma'>): Promise<boolean> {
  return !(await tryLockBackups(prisma));
}
