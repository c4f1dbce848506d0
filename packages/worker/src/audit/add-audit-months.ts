import { addMonths } from '@svc/db/audit';
import { inTransaction, sqlState } from '@svc/db/connection';
import { type LeaderLease, lockLeaderLease } from '@svc/db/leases';
import type { WorkerDeps } from '../work/deps.ts';

/** lock_not_available: a transaction has used the log for long. The next iteration tries again. */
const IN_USE = '55P03';

export const isInUse = (error: unknown): boolean => sqlState(error) === IN_USE;

/** Creates the partitions of the audit log for the coming months. */
export async function addAuditMonths(
  { db, clock }: Pick<WorkerDeps, 'db' | 'clock'>,
  lease: LeaderLease,
): Promise<{ partitions: number }> {
  try {
    const partitions = await inTransaction(db, async (tx) =>
      (await lockLeaderLease(tx, lease)) ? addMonths(tx, clock()) : 0,
    );
    return { partitions };
  } catch (error) {
    if (isInUse(error)) return { partitions: 0 };
    throw error;
  }
}
