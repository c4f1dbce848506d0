import type { Failure } from '@svc/core/errors';
import type { Transaction } from '@svc/db/connection';
import { requireLease } from '@svc/db/leases';
import { markBuilt } from '@svc/db/tables';
import { type TableMetadata, type TableUpdate, tableIds, writeNewTable } from '@svc/iceberg';
import { COMMENT } from '@svc/lake/tables';
import { commitToTable, registerTable } from '../../tables/commit.ts';
import { firstMetadata } from '../../tables/create-with-rows.ts';
import { failure } from '../../work/failures.ts';
import { builderOf, type FinishTask, type TaskWork } from '../run-work.ts';
import type { TablePlan } from './plan-table.ts';

/** Rows that failed a check stay on this branch until the next successful build. */
export const FAILED_CHECK = 'failed_check';

/** Commits the new rows in the transaction that finishes the task, and creates the table if it doesn't exist yet. */
export async function commitTable(
  work: TaskWork,
  plan: TablePlan,
  watermark: string | null | undefined,
  finish: FinishTask,
): Promise<Failure | null> {
  const { deps, asset, environment, origin } = work;
  const { target, base, written } = plan;
  const { files, rows } = written;
  if (base === null || target.table === null) return createTable(work, plan, watermark, finish);
  return commitToTable(deps, {
    table: target.table,
    environment: environment.name,
    files,
    rows,
    mode: plan.mode === 'append' ? 'append' : 'replace',
    schemaId: base.metadata['current-schema-id'],
    schemaUpdates: [...plan.updates, ...commented(base.metadata, asset.description)],
    dropBranch: FAILED_CHECK,
    columnDescriptions: asset.columns,
    watermark,
    origin,
    finish: async (tx) => {
      await markBuilt(tx, {
        id: target.table!.id,
        repositoryId: builderOf(work),
        description: asset.description,
      });
      await finish(tx, rows, target.table!.id);
    },
  });
}

async function createTable(
  work: TaskWork,
  plan: TablePlan,
  watermark: string | null | undefined,
  finish: FinishTask,
): Promise<Failure | null> {
  const made = await register(work, plan, undefined, async (tx, id) => finish(tx, plan.written.rows, id), watermark);
  return made
    ? null
    : failure('already-exists', `${work.asset.name} was created by someone else in the meantime.`, 'Run it again.');
}

async function register(
  work: TaskWork,
  plan: TablePlan,
  branch: string | undefined,
  finish: (tx: Transaction, tableId: string) => Promise<void>,
  watermark?: string | null,
): Promise<boolean> {
  const { deps, asset, environment, origin } = work;
  const { files, rows } = plan.written;
  const first = await firstMetadata(deps, plan.location, plan.fields, files, branch);
  const comment = asset.description === null ? {} : { [COMMENT]: asset.description };
  const metadata = { ...first, properties: { ...first.properties, ...comment } };
  const { metadataLocation } = await writeNewTable(deps.store, metadata, tableIds(deps));
  return registerTable(deps, {
    id: metadata['table-uuid'],
    environment,
    namespace: plan.target.namespace,
    name: asset.table,
    description: asset.description,
    metadata,
    metadataLocation,
    files,
    rows: branch === undefined ? rows : 0,
    mode: 'create',
    watermark: watermark ?? undefined,
    columnDescriptions: asset.columns,
    builtByRepository: builderOf(work),
    origin,
    finish: (tx) => finish(tx, metadata['table-uuid']),
  });
}

/** Stores rejected rows on the branch. If there is no table yet, creates it empty. */
export async function storeRejected(work: TaskWork, plan: TablePlan): Promise<void> {
  const { deps, environment, origin } = work;
  const { target, base, written } = plan;
  // A worker that lost its lease must not leave a branch behind either.
  const checkLease = (tx: Transaction) => requireLease(tx, { kind: 'runs', claim: work.claim });
  if (base === null || target.table === null) {
    await register(work, plan, FAILED_CHECK, checkLease);
    return;
  }
  await commitToTable(deps, {
    table: target.table,
    environment: environment.name,
    files: written.files,
    rows: written.rows,
    // Rows to merge are stored alone.
    mode: plan.mode === 'append' ? 'append' : 'replace',
    schemaId: base.metadata['current-schema-id'],
    schemaUpdates: plan.updates,
    branch: FAILED_CHECK,
    origin,
    finish: checkLease,
  });
}

/** The update that shows the table's description to engines. */
export function commented({ properties }: TableMetadata, description: string | null): TableUpdate[] {
  if (description === null || properties[COMMENT] === description) return [];
  return [{ action: 'set-properties', updates: { [COMMENT]: description } }];
}
