import type { Failure } from '@svc/core/errors';
import { removeFiles } from '@svc/iceberg';
import type { FinishTask, TaskWork } from '../run-work.ts';
import { type BuildStart, startOfBuild } from './build-start.ts';
import { newContents, newWatermark, runChecks } from './check-rows.ts';
import { commitTable, storeRejected } from './commit-table.ts';
import { firstKeyedRows, mergeTable } from './merge-table.ts';
import { planTable, type TablePlan } from './plan-table.ts';
import { pythonRows } from './python-rows.ts';
import type { RowSource } from './row-source.ts';
import { seedRows } from './seed-rows.ts';
import { sparkRows } from './spark-rows.ts';
import { sqlRows } from './sql-rows.ts';
import { findTarget, isFailure } from './target.ts';

/**
 * Builds a table asset: writes the rows, checks them, and commits them to the table in the transaction that finishes
 * the task.
 */
export async function buildTable(work: TaskWork, finish: FinishTask): Promise<Failure | null> {
  const target = await findTarget(work);
  if (isFailure(target)) return target;
  const start = await startOfBuild(work, target);
  if (isFailure(start)) return start;
  const source = await rowsOf(work, start);
  if (isFailure(source)) return source;
  try {
    const plan = await planTable(work, target, source, start.mode);
    if (isFailure(plan)) return plan;
    return await finishTable(work, plan, finish);
  } finally {
    await source.close();
  }
}

function rowsOf(work: TaskWork, start: BuildStart): Promise<RowSource | Failure> {
  switch (work.asset.source.language) {
    case 'sql':
      return sqlRows(work, start);
    case 'python':
      return work.asset.engine === 'spark' ? sparkRows(work, start) : pythonRows(work, start);
    case 'csv':
      return seedRows(work);
  }
}

async function finishTable(work: TaskWork, plan: TablePlan, finish: FinishTask): Promise<Failure | null> {
  if (plan.mode === 'merge') return mergeTable(work, plan, finish);
  if (work.asset.mode !== 'merge') return checkAndCommit(work, plan, finish);
  const rows = await firstKeyedRows(work, plan);
  if (isFailure(rows)) return rows;
  try {
    return await checkAndCommit(work, { ...plan, written: rows }, finish);
  } finally {
    await rows.close?.();
  }
}

async function checkAndCommit(work: TaskWork, plan: TablePlan, finish: FinishTask): Promise<Failure | null> {
  const { deps, asset } = work;
  const failed = asset.checks.length === 0 ? null : await runChecks(work, await newContents(work, plan));
  if (failed !== null) {
    if (failed.code === 'check-failed') await storeRejected(work, plan);
    else
      await removeFiles(
        deps.store,
        plan.written.files.map((file) => file.file_path),
      );
    return failed;
  }
  const watermark = await newWatermark(work, plan);
  if (watermark != null && typeof watermark !== 'string') return watermark;
  return commitTable(work, plan, watermark, finish);
}
