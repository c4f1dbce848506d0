import { scopeOf } from '@svc/core/access';
import { endExpiredGrants } from '@svc/db/access';
import { recordEvents } from '@svc/db/audit';
import { inTransaction } from '@svc/db/connection';
import type { WorkerDeps } from '../work/deps.ts';

const BATCH = 500;

/** Records grants that have expired, each once (ACCESS-34), and returns their number. They allow nothing already. */
export async function recordExpiredGrants(
  { db, clock, newId }: Pick<WorkerDeps, 'db' | 'clock' | 'newId'>,
  signal: AbortSignal,
): Promise<number> {
  let count = 0;
  for (let batch = BATCH; batch === BATCH; count += batch) {
    signal.throwIfAborted();
    batch = await inTransaction(db, async (tx) => {
      const time = clock();
      const grants = await endExpiredGrants(tx, { now: time, limit: BATCH });
      await recordEvents(
        tx,
        grants.map(({ grant, environmentId }) => ({
          id: newId(),
          time,
          type: 'GRANT_EXPIRED' as const,
          principal: null,
          object: scopeOf(grant),
          environmentId,
          requestId: null,
          detail: { ...grant },
        })),
      );
      return grants.length;
    });
  }
  return count;
}
