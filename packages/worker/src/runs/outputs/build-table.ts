import type { Failure } from '@svc/core/errors';
import { readWatermark } from '@svc/db/tables';
import { removeFiles } from '@svc/iceberg';
import type { Watermark } from '../../python/python-task.ts';
import type { FinishTask, TaskWork } from '../run-work.ts';
import { newWatermark, runChecks } from './check-rows.ts';
import { commitTable, storeRejected } from './commit-table.ts';
import { planTable, type TablePlan } from './plan-table.ts';
import { pythonRows } from './python-rows.ts';
import { sqlRows } from './sql-rows.ts';
import { findTarget, isFailure, type Target } from './target.ts';

/**
 * Builds a table asset: writes the rows, checks them, and commits them to the table in the transaction that finishes
 * the task.
 */
export async function buildTable(work: TaskWork, finish: FinishTask): Promise<Failure | null> {
  const target = await findTarget(work);
  if (isFailure(target)) return target;
  const last = target.table === null ? null : await readWatermark(work.deps.db.prisma, target.table.id);
  const source =
    work.asset.source.language === 'sql'
      ? await sqlRows(work, last)
      : await pythonRows(work, typed(work, target, last));
  if (isFailure(source)) return source;
  try {
    const plan = await planTable(work, target, source);
    if (isFailure(plan)) return plan;
    return await checkAndCommit(work, plan, finish);
  } finally {
    await source.close();
  }
}

/** A watermark with the type of its column, so that Python gets a typed value. */
function typed({ asset }: TaskWork, { table }: Target, text: string | null): Watermark | null {
  if (text === null) return null;
  return { text, type: table?.columns.find(({ name }) => name === asset.watermark)?.type ?? null };
}

async function checkAndCommit(work: TaskWork, plan: TablePlan, finish: FinishTask): Promise<Failure | null> {
  const { deps, asset } = work;
  const failed = await runChecks(work, plan);
  if (failed !== null) {
    if (failed.code === 'check-failed') await storeRejected(work, plan);
    else
      await removeFiles(
        deps.store,
        plan.written.files.map((file) => file.file_path),
      );
    return failed;
  }
  const watermark = asset.watermark === null || plan.written.rows === 0 ? undefined : await newWatermark(work, plan);
  if (watermark !== undefined && typeof watermark !== 'string') return watermark;
  return commitTable(work, plan, watermark, finish);
}
