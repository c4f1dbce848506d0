import type pg from 'pg';
import type { Database } from '../connection/open.ts';

/** A shared advisory lock that each backup holds while it copies. */
export const BACKUP_LOCK = 72_707_371;

export async function acquireBackupLock(client: pg.Client): Promise<void> {
  await client.query('SELECT pg_advisory_lock_shared($1)', [BACKUP_LOCK]);
}

/** Whether a backup is copying files. If so, nothing may be deleted, because the backup may already list it. */
export async function isBackupUnderWay({ prisma }: Pick<Database, 'prisma'>): Promise<boolean> {
  const rows = await prisma.$queryRaw<{ free: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(${BACKUP_LOCK}::bigint) AS free`;
  return rows[0]?.free !== true;
}
