import { type ObjectScope, scopeOf } from '@svc/core/access';
import type { EventType } from '@svc/core/audit';
import { completedQuery } from '@svc/db/audit';
import { inTransaction, type Transaction } from '@svc/db/connection';
import { findDeploy } from '@svc/db/deploys';
import { findEnvironmentById } from '@svc/db/environments';
import { rescueExpiredLeases, WORK_KINDS, type WorkKind } from '@svc/db/leases';
import { findQuery } from '@svc/db/queries';
import { closeLostRun, findRun } from '@svc/db/runs';
import type { WorkerDeps } from '../work/deps.ts';
import { auditWork, type Origin } from '../work/events.ts';

const MAX_RESCUED = 100;

/**
 * Rescues expired leases: work of a lost worker is retried, or finishes with its event if it was lost too often: it fails, or
 * was cancelled (RUN-6).
 */
export async function rescueExpired(deps: WorkerDeps): Promise<Record<string, number>> {
  let [requeued, failed, cancelled] = [0, 0, 0];
  for (const kind of WORK_KINDS) {
    await inTransaction(deps.db, async (tx) => {
      const rescued = await rescueExpiredLeases(tx, { kind, now: deps.clock(), limit: MAX_RESCUED });
      for (const id of [...rescued.failed, ...rescued.cancelled]) await recordWorkerLost(deps, tx, kind, id);
      requeued += rescued.requeued.length;
      failed += rescued.failed.length;
      cancelled += rescued.cancelled.length;
    });
  }
  return { requeued, failed, cancelled };
}

interface WorkerLostEvent {
  type: EventType;
  environmentId: string;
  principal: { id: string; name: string };
  requestId: string | null;
  detail: Record<string, unknown>;
}

async function recordWorkerLost(deps: WorkerDeps, tx: Transaction, kind: WorkKind, id: string): Promise<void> {
  const event = await workerLostEvent(deps, tx, kind, id);
  if (event === null) return;
  const environment = await findEnvironmentById(tx, event.environmentId, { includeDeleted: true });
  const object: ObjectScope = scopeOf({ environment: environment?.name });
  const origin: Origin = event;
  await auditWork(deps, tx, origin, { type: event.type, object, detail: event.detail });
}

/** Null for writes and maintenance: they have no event for a failure, because nothing was changed. */
async function workerLostEvent(
  deps: WorkerDeps,
  tx: Transaction,
  kind: WorkKind,
  id: string,
): Promise<WorkerLostEvent | null> {
  if (kind === 'queries') {
    const row = (await findQuery(tx, id))!;
    const detail = completedQuery({ ...row, tables: [] }, deps.settings.auditQueryText);
    const principal = { id: row.submitter_id, name: row.submitter ?? '' };
    return { type: 'QUERY_COMPLETED', environmentId: row.environment_id, principal, requestId: row.request_id, detail };
  }
  if (kind === 'deploys') {
    const row = (await findDeploy(tx, id))!;
    const { repository, ref, commit, dry_run, error } = row;
    const detail = { deploy_id: id, repository, ref, commit, dry_run, error };
    const principal = { id: row.created_by, name: row.creator ?? '' };
    return { type: 'DEPLOY_FAILED', environmentId: row.environment_id, principal, requestId: row.request_id, detail };
  }
  if (kind === 'runs') {
    await closeLostRun(tx, { id, now: deps.clock() });
    const row = (await findRun(tx, id))!;
    const principal = { id: row.principal_id, name: row.principal ?? '' };
    const detail = { run_id: id, status: row.status };
    return { type: 'RUN_ENDED', environmentId: row.environment_id, principal, requestId: row.request_id, detail };
  }
  return null;
}
