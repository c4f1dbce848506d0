import { ApiError } from '@svc/core/errors';
import { inTransaction, traceparentOf } from '@svc/db/connection';
import { submitMaintenance, tablesDue } from '@svc/db/maintenance';
import type { WorkerDeps } from '../work/deps.ts';

/** Automatic maintenance runs at most about once a day per table. */
const EVERY_MS = 22 * 3_600_000;
/** The next sweep handles the rest. */
const MAX_BATCH = 100;

/** Enqueues the maintenance that the environments' rules require. Skips tables dropped in the meantime. */
export async function queueDueMaintenance(
  deps: Pick<WorkerDeps, 'db' | 'clock' | 'newId'>,
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const now = deps.clock();
  const due = await tablesDue(deps.db.prisma, { before: new Date(now.getTime() - EVERY_MS), limit: MAX_BATCH });
  let queued = 0;
  for (const table of due) {
    signal.throwIfAborted();
    const row = {
      id: deps.newId(),
      environmentId: table.environment_id,
      tableId: table.table_id,
      requestedBy: null,
      compact: table.compact,
      expireDays: table.expire_days,
      requestId: null,
      traceparent: traceparentOf(deps.db),
      now,
    };
    try {
      await inTransaction(deps.db, (tx) => submitMaintenance(tx, row));
      queued += 1;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }
  return { queued };
}
