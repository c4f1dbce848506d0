import { removeOldSignInAttempts } from '@svc/db/access';
import { claimExpiredBundles } from '@svc/db/deploys';
import { removeExpiredResponses } from '@svc/db/idempotency';
import { removeOldMaintenance } from '@svc/db/maintenance';
import { claimExpiredResults, retireQueries } from '@svc/db/queries';
import { removeExpiredStaging } from '@svc/db/staging';
import { removeOldReads } from '@svc/db/tables';
import { claimExpiredUploads } from '@svc/db/uploads';
import { removeOldDeliveries } from '@svc/db/webhooks';
import type { WorkerDeps } from '../work/deps.ts';

const BATCH = 500;
const DAY_MS = 24 * 3_600_000;
/** How long to retain records of webhook deliveries and of maintenance, except each table's last. */
const RECORD_RETENTION_MS = 90 * DAY_MS;

/**
 * Removes results after 24 hours, bundles that were never deployed, responses of idempotency keys and old records, in
 * batches.
 */
export async function removeExpired(
  { db, store, clock, settings }: Pick<WorkerDeps, 'db' | 'store' | 'clock' | 'settings'>,
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const now = clock();
  const due = { now, limit: BATCH };
  const olderThan = (ms: number) => ({ before: new Date(now.getTime() - ms), limit: BATCH });
  const removeFiles = async (locations: readonly (string | null)[]) => {
    for (const location of locations) if (location !== null) await store.remove(location);
    return locations.length;
  };
  const { prisma } = db;
  const removals: Record<string, () => Promise<number>> = {
    results: async () => removeFiles(await claimExpiredResults(prisma, due)),
    bundles: async () => removeFiles(await claimExpiredBundles(prisma, due)),
    uploads: async () => removeFiles(await claimExpiredUploads(prisma, due)),
    staging: () => removeExpiredStaging(prisma, due),
    answers: () => removeExpiredResponses(prisma, due),
    sign_ins: () => removeOldSignInAttempts(prisma, due),
    reads: () => removeOldReads(prisma, olderThan(settings.tableReadsKeepDays * DAY_MS)),
    maintenance: () => removeOldMaintenance(prisma, olderThan(RECORD_RETENTION_MS)),
    deliveries: () => removeOldDeliveries(prisma, olderThan(RECORD_RETENTION_MS)),
    // One hour longer than lists show them, for clients that are still paging.
    queries: () => retireQueries(prisma, olderThan(DAY_MS + 3_600_000)),
  };
  const counts: Record<string, number> = {};
  for (const [name, remove] of Object.entries(removals)) {
    counts[name] = 0;
    for (let removed = BATCH; removed === BATCH; counts[name] += removed) {
      signal.throwIfAborted();
      removed = await remove();
    }
  }
  return counts;
}
