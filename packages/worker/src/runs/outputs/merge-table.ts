import type { Failure } from '@svc/core/errors';
import { sandboxOwner } from '@svc/core/queries';
import { markBuilt } from '@svc/db/tables';
import { joinLocation, removeFiles } from '@svc/iceberg';
import { QueryRejectedError } from '@svc/lake/queries';
import { ChangeFailedError } from '../../tables/change-work.ts';
import { type KeyedRows, mergeKeyedRows, requireUniqueKey, writeUndeleted } from '../../tables/keyed-rows.ts';
import { openReader } from '../../tables/reader.ts';
import { requireUnbound } from '../../tables/require-unbound.ts';
import { failureOf } from '../../work/failures.ts';
import { builderOf, type FinishTask, type TaskWork } from '../run-work.ts';
import { newWatermark, runChecks } from './check-rows.ts';
import { commented, FAILED_CHECK, storeRejected } from './commit-table.ts';
import { described, type TablePlan } from './plan-table.ts';
import type { WrittenRows } from './row-source.ts';
import { taskReader } from './task-reader.ts';

const scratchOf = ({ deps, task, claim }: TaskWork): string =>
  joinLocation(deps.store.root, 'results', `${task.id}-${claim.fence}`);

function keyedRows({ asset }: TaskWork, { written, fields, columns }: TablePlan): KeyedRows {
  const names = new Set(columns.map((name) => name.toLowerCase()));
  return {
    files: written.files,
    staged: written.staged,
    fields,
    // A function that returned no rows has no columns either.
    present: names.size === 0 ? fields : fields.filter(({ name }) => names.has(name.toLowerCase())),
    key: asset.key!,
    deleteWhen: asset.deleteWhen,
    origin: {
      name: asset.name,
      remedy: `Return one row of each key: for example, QUALIFY row_number() OVER (PARTITION BY ${asset.key!.join(', ')} ORDER BY …) = 1.`,
    },
  };
}

/** Merges the rows into the existing table. If a check of the merged rows fails, the table stays as it is. */
export async function mergeTable(work: TaskWork, plan: TablePlan, finish: FinishTask): Promise<Failure | null> {
  try {
    await merge(work, plan, finish);
  } catch (error) {
    const failed = failureOfChange(error);
    if (failed.code === 'check-failed') await storeRejected(work, plan);
    else await removeRows(work, plan);
    return failed;
  }
  await removeRows(work, plan);
  return null;
}

async function merge(work: TaskWork, plan: TablePlan, finish: FinishTask): Promise<void> {
  const { deps, asset, environment, origin, principal, signal, engine, task } = work;
  const table = plan.target.table!;
  const reader = openReader(deps, taskReader(work));
  await requireUnbound(reader, { namespace: table.namespace, table: table.name }, principal.name);
  const watermark = await newWatermark(work, plan);
  if (watermark != null && typeof watermark !== 'string') throw new ChangeFailedError(watermark);
  await mergeKeyedRows(
    {
      ...{ deps, environment, origin, signal, scratch: scratchOf(work), owner: reader.owner, resolve: reader.resolve },
      ...{ engine, traceToken: task.id },
      verify: async (contents) => {
        const failed = await runChecks(work, contents);
        if (failed !== null) throw new ChangeFailedError(failed);
      },
      alongside: {
        updates: (metadata) => [...described(metadata, asset, plan.columns), ...commented(metadata, asset.description)],
        dropBranch: FAILED_CHECK,
        columnDescriptions: asset.columns,
        watermark: watermark ?? undefined,
      },
      finish: async ({ inserted, updated }, commit) => {
        const { tx } = commit!;
        await markBuilt(tx, { id: table.id, repositoryId: builderOf(work), description: asset.description });
        await finish(tx, inserted + updated, table.id);
      },
    },
    table,
    keyedRows(work, plan),
  );
}

/** The rows of a first build: with unique keys, and without those that `delete_when` names. */
export async function firstKeyedRows(work: TaskWork, plan: TablePlan): Promise<WrittenRows | Failure> {
  const { environment, principal, signal, asset, engine } = work;
  const owner = sandboxOwner(environment.id, principal.id);
  const reading = { environment, signal, engine, scratch: scratchOf(work), owner };
  const rows = keyedRows(work, plan);
  try {
    await requireUniqueKey(reading, rows);
    if (asset.deleteWhen === undefined) return plan.written;
    const { location: tableLocation, fields, layout } = plan;
    const undeleted = await writeUndeleted(
      reading,
      { ...rows, deleteWhen: asset.deleteWhen },
      { tableLocation, fields, ...(layout ? { layout } : {}), target: plan.base?.metadata },
    );
    await removeRows(work, plan);
    return undeleted;
  } catch (error) {
    await removeRows(work, plan);
    return failureOfChange(error);
  }
}

function removeRows({ deps }: TaskWork, { written }: TablePlan): Promise<void> {
  return removeFiles(
    deps.store,
    written.files.map((file) => file.file_path),
  );
}

/** @throws anything that isn't the failure of a change */
function failureOfChange(error: unknown): Failure {
  if (error instanceof ChangeFailedError) return error.failure;
  if (error instanceof QueryRejectedError) return failureOf(error.error);
  throw error;
}
