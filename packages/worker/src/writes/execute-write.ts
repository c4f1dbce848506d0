import { scopeOf } from '@svc/core/access';
import type { Failure } from '@svc/core/errors';
import { sandboxOwner } from '@svc/core/queries';
import { writeEndpoints } from '@svc/core/writes';
import { listEffectiveGrants } from '@svc/db/access';
import { inTransaction } from '@svc/db/connection';
import { findEnvironmentById, type StoredEnvironment } from '@svc/db/environments';
import { findTableById, type StoredTable } from '@svc/db/tables';
import { filesOfWrite, findWrite, finishWrite, type StoredWrite, setWriteProgress } from '@svc/db/writes';
import { currentSchema, joinLocation, readTableMetadata, removeFiles } from '@svc/iceberg';
import { quotesNothing } from '@svc/lake/queries';
import { load } from '@svc/lake/writes';
import { storageQuotaFailure } from '../quotas/index.ts';
import { commitToTable } from '../tables/commit.ts';
import { layoutFor } from '../tables/layout.ts';
import type { ActiveClaim } from '../work/claims.ts';
import { deniedAction, protectedFailure } from '../work/denied-action.ts';
import type { WorkerDeps } from '../work/deps.ts';
import { routeText } from '../work/events.ts';
import { failure, failureOfStorage } from '../work/failures.ts';
import { progressReporter } from '../work/progress.ts';
import { traceOutcome } from '../work/traced.ts';
import { mergeRows } from './merge-rows.ts';

/** The route of writes in AUTHORIZATION_DENIED events. */
const ROUTE = routeText(writeEndpoints.create);

/** Loads the staged rows of one claimed write into its table. A failed write leaves nothing behind. */
export async function executeWrite(deps: WorkerDeps, claim: ActiveClaim): Promise<void> {
  const row = (await findWrite(deps.db.prisma, claim.id))!;
  const failed = await write(deps, claim, row).catch((error: unknown) =>
    claim.signal.reason === 'cancelled' ? deactivated('while it was running') : failureOfStorage(error),
  );
  traceOutcome(claim, { status: failed === null ? 'succeeded' : 'failed', error: failed });
  if (failed !== null) {
    await inTransaction(deps.db, (tx) =>
      finishWrite(tx, { claim, outcome: { status: 'failed', error: failed }, now: deps.clock() }),
    );
  }
  await removeFiles(deps.store, row.staged_locations);
}

const deactivated = (when: string): Failure =>
  failure('not-allowed', `The principal that requested the write was deactivated ${when}.`);

/** Why the principal may no longer write to the table, or null: a write can wait for a long time. */
async function deniedWrite(
  deps: WorkerDeps,
  row: StoredWrite,
  { environment, table }: { environment: StoredEnvironment; table: StoredTable },
): Promise<Failure | null> {
  const { requested_by: principalId, request_id, run_id, table: full } = row;
  const request = { id: request_id, route: ROUTE, ...(run_id === null ? {} : { runId: run_id }) };
  const reader = { principalId, environmentId: environment.id, now: deps.clock() };
  const grants = await listEffectiveGrants(deps.db.prisma, reader);
  const object = scopeOf({ environment: environment.name, namespace: table.namespace, table: table.name });
  const work = { principalId, environment, request, grants, origin: row };
  const needed = { action: 'WRITE_TABLE', object, full } as const;
  return (await deniedAction(deps, work, needed)) ?? protectedFailure(deps, work, needed);
}

async function write(deps: WorkerDeps, claim: ActiveClaim, row: StoredWrite): Promise<Failure | null> {
  if (!row.requester_active) return deactivated('before it started');
  const [environment, table] = await Promise.all([
    findEnvironmentById(deps.db.prisma, row.environment_id),
    findTableById(deps.db.prisma, row.table_id),
  ]);
  if (environment === null || table?.metadata_location == null) {
    return failure('not-found', `The table ${row.table} was dropped before the write started.`);
  }
  const denied = await deniedWrite(deps, row, { environment, table });
  if (denied !== null) return denied;
  const [exceeded, metadata] = await Promise.all([
    storageQuotaFailure(deps, environment),
    readTableMetadata(deps.store, table.metadata_location),
  ]);
  if (exceeded !== null) return exceeded;
  const schema = currentSchema(metadata);
  const layout = layoutFor(metadata, schema.fields);
  if ('code' in layout) return layout;
  // The sweep deletes it after a day, as it deletes every file here without a record.
  const rejectedLocation = joinLocation(deps.store.root, 'results', `${row.id}-${claim.fence}-rejected.csv`);
  const outcome = await load(deps.sandbox, {
    source: { files: filesOfWrite(row), format: row.format, csv: row.csv_options },
    skip: row.max_errors === null ? null : { maxErrors: row.max_errors, location: rejectedLocation },
    sameColumns: row.mode === 'merge',
    fields: schema.fields,
    tableLocation: metadata.location,
    layout,
    owner: sandboxOwner(row.environment_id, row.requested_by),
    signal: claim.signal,
    onProgress: progressReporter((progress) => setWriteProgress(deps.db.prisma, { claim, progress })),
  });
  claim.signal.throwIfAborted();
  if (!outcome.ok) {
    const { code, message } = outcome.error;
    return failure(code, message, quotesNothing(code) ? null : 'Correct the file and load it again.');
  }
  const { csv } = outcome;
  const rejected = row.max_errors === null ? null : { count: outcome.rejected, location: rejectedLocation };
  const principal = { id: row.requested_by, name: row.requester ?? '' };
  const origin = {
    principal,
    environmentId: row.environment_id,
    requestId: row.request_id,
    breakGlass: row.break_glass,
    work: { writeId: row.id, runId: row.run_id },
  };
  if (row.mode === 'merge') {
    const rows = { files: outcome.files, fields: schema.fields, inFile: outcome.fields, csv, rejected };
    return mergeRows({ deps, claim, row, table, environment, origin }, rows);
  }
  return commitToTable(deps, {
    table,
    environment: environment.name,
    files: outcome.files,
    rows: outcome.rowCount,
    ...(rejected === null ? {} : { rejected: rejected.count }),
    schemaId: schema['schema-id'],
    mode: row.mode,
    watermark: row.watermark ?? undefined,
    origin,
    finish: (tx, snapshotId) =>
      finishWrite(tx, {
        claim,
        outcome: { status: 'succeeded', rows: outcome.rowCount, snapshotId, csv, rejected },
        now: deps.clock(),
      }),
  });
}
