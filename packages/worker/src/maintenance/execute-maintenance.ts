import type { Failure } from '@svc/core/errors';
import type { MaintenanceResult } from '@svc/core/maintenance';
import { inTransaction, type Transaction } from '@svc/db/connection';
import { findEnvironmentById } from '@svc/db/environments';
import { findMaintenance, finishMaintenance } from '@svc/db/maintenance';
import { findTableById, updateTable } from '@svc/db/tables';
import { scopeOfTable } from '../tables/commit.ts';
import { failureOfFiles } from '../tables/files-failure.ts';
import { removeUnreachedFiles } from '../tables/unreached-files.ts';
import type { ActiveClaim } from '../work/claims.ts';
import type { WorkerDeps } from '../work/deps.ts';
import { auditWork, type Origin } from '../work/events.ts';
import { failure } from '../work/failures.ts';
import { traceOutcome } from '../work/traced.ts';
import type { MaintenanceWork } from './commit-maintenance.ts';
import { commitMaintenance, type FinishMaintenance } from './commit-maintenance.ts';
import { deniedMaintenance } from './denied-maintenance.ts';

/** Unreferenced files younger than this are left alone, because a commit in progress will reference some of them. */
const YOUNGEST_MS = 24 * 3_600_000;

const NOTHING_DONE: MaintenanceResult = {
  compacted_files: 0,
  new_files: 0,
  expired_snapshots: 0,
  removed_files: 0,
  snapshot_id: null,
};

/**
 * Maintains one table: removes unreferenced files, then rewrites files and expires snapshots in one commit that also
 * finishes the work and writes its event. The sweep removes the files that this commit releases.
 */
export async function executeMaintenance(deps: WorkerDeps, claim: ActiveClaim): Promise<void> {
  const row = (await findMaintenance(deps.db.prisma, claim.id))!;
  const environment = await findEnvironmentById(deps.db.prisma, row.environment_id);
  const table = await findTableById(deps.db.prisma, row.table_id);
  if (environment === null || table?.metadata_location == null) {
    return fail(
      deps,
      claim,
      failure('not-found', `The table ${row.table} was dropped before its maintenance started.`),
    );
  }
  const denied = await deniedMaintenance(deps, row, { environment: environment.name, table });
  if (denied !== null) return fail(deps, claim, denied);
  const origin: Origin = {
    principal: row.requested_by === null ? null : { id: row.requested_by, name: row.requester ?? '' },
    environmentId: row.environment_id,
    requestId: row.request_id,
  };
  const work = { deps, claim, row, table, environment: environment.name, origin };
  const failed = await maintain(work).catch(failureOfFiles);
  traceOutcome(claim, { status: failed === null ? 'succeeded' : 'failed', error: failed });
  if (failed === null) return;
  claim.signal.throwIfAborted();
  await fail(deps, claim, failed);
}

async function maintain(work: MaintenanceWork): Promise<Failure | null> {
  const { deps } = work;
  const removed_files = await removeOrphans(work);
  const finish: FinishMaintenance = (tx, result) => finishSucceeded(work, tx, { ...result, removed_files });
  const done = await commitMaintenance(work, finish);
  if (done === 'nothing') await inTransaction(deps.db, (tx) => finishUnchanged(work, tx, finish));
  return typeof done === 'object' ? done : null;
}

/**
 * Requesting maintenance counts as activity, even if there is nothing to do. A rule of the environment doesn't count.
 */
async function finishUnchanged({ deps, row, table }: MaintenanceWork, tx: Transaction, finish: FinishMaintenance) {
  // Not later than the finished work, or the rule would consider the table written since.
  const now = deps.clock();
  await finish(tx, NOTHING_DONE);
  if (row.requested_by !== null) await updateTable(tx, { id: table.id, now });
}

async function fail(deps: WorkerDeps, claim: ActiveClaim, error: Failure): Promise<void> {
  await inTransaction(deps.db, (tx) =>
    finishMaintenance(tx, { claim, outcome: { status: 'failed', error }, now: deps.clock() }),
  );
}

async function finishSucceeded(work: MaintenanceWork, tx: Transaction, result: MaintenanceResult): Promise<void> {
  const { deps, claim, row, table, environment, origin } = work;
  await finishMaintenance(tx, { claim, outcome: { status: 'succeeded', result }, now: deps.clock() });
  await auditWork(deps, tx, origin, {
    type: 'TABLE_MAINTAINED',
    object: scopeOfTable(environment, table),
    detail: { table_id: table.id, maintenance_id: row.id, ...result },
  });
}

/** Removes files in the table's folder that no snapshot references. */
function removeOrphans({ deps, claim, table }: MaintenanceWork): Promise<number> {
  return removeUnreachedFiles(deps, table, deps.clock().getTime() - YOUNGEST_MS, claim.signal);
}
