import type { Failure } from '@svc/core/errors';
import type { StagedRows } from '@svc/iceberg';
import type { StagingTable } from '@svc/lake/engines';
import { QueryRejectedError } from '@svc/lake/queries';
import { stagingTables } from '../../staging/index.ts';
import { failure, failureOf } from '../../work/failures.ts';
import type { TaskWork } from '../run-work.ts';
import type { BuildStart } from './build-start.ts';
import { callPython, loadedRows, missingWatermark, type PythonOutput, taskSeconds } from './python-rows.ts';
import type { RowColumn, RowSource, RowTarget, WrittenRows } from './row-source.ts';
import { isFailure } from './target.ts';

/** The name under which sessions of Spark have the catalog of the environment (`packages/sdk-python/src/svc/_spark.py`). */
const CATALOG = 'svc';

/** The task while Spark hasn't written its DataFrame yet. */
interface RunningTask {
  /** Names the table for the DataFrame. */
  readonly writeTo: (table: string) => void;
  readonly output: Promise<PythonOutput | Failure>;
  /** Stops the task if it still runs, and removes its folder. */
  readonly close: () => Promise<void>;
}

/**
 * The rows of a DataFrame that a Python function returned, which Spark writes to a staging table; no row passes through this
 * process. The task, and with it the session of Spark, stays open until then. Other rows are loaded as those of any Python asset.
 */
export async function sparkRows(work: TaskWork, start: BuildStart): Promise<RowSource | Failure> {
  const { task, found } = await startTask(work, start);
  if (found === null) {
    const output = await task.output;
    return isFailure(output) ? output : loadedRows(work, output);
  }
  const missing = missingWatermark(work, found);
  if (missing !== null) {
    await task.close();
    return missing;
  }
  // The sweep leaves the staged files alone until they are committed.
  let staging: StagingTable<StagedRows> | null = null;
  return {
    columns: found,
    write: async (target) => {
      const unknown = unknownColumn(work, found, target);
      if (unknown !== null) return unknown;
      staging = await openStaging(work, target);
      return write(work, task, staging);
    },
    close: async () => {
      await task.close();
      await staging?.close();
    },
  };
}

/** Runs the function until it has returned; `found` are the columns of its DataFrame, or null if it returned none. */
async function startTask(
  work: TaskWork,
  start: BuildStart,
): Promise<{ task: RunningTask; found: readonly RowColumn[] | null }> {
  const stop = new AbortController();
  let announce!: (columns: readonly RowColumn[]) => void;
  let writeTo!: (table: string) => void;
  const announced = new Promise<readonly RowColumn[]>((resolve) => {
    announce = resolve;
  });
  const table = new Promise<string>((resolve) => {
    writeTo = resolve;
  });
  const signal = AbortSignal.any([work.signal, stop.signal]);
  const output = callPython({ ...work, signal }, start, (columns) => {
    announce(columns);
    return table;
  });
  const close = async () => {
    stop.abort();
    const finished = await output.catch(() => null);
    if (finished !== null && !isFailure(finished)) await finished.close();
  };
  const found = await Promise.race([announced, output.then(() => null)]);
  return { task: { writeTo, output, close }, found };
}

function openStaging(work: TaskWork, { tableLocation, fields, target }: RowTarget): Promise<StagingTable<StagedRows>> {
  const { deps, environment, principal, task } = work;
  const owner = async () => ({ principalId: principal.id, taskId: task.id });
  return stagingTables(deps, owner).forRows({
    ...{ environment, tableLocation, fields, target: target ?? null },
    timeoutMs: taskSeconds(work) * 1000,
  });
}

async function write(
  work: TaskWork,
  task: RunningTask,
  staging: StagingTable<StagedRows>,
): Promise<WrittenRows | Failure> {
  try {
    task.writeTo(`${CATALOG}.${staging.namespace}.${staging.name}`);
    const output = await task.output;
    return isFailure(output) ? output : await written(work, staging);
  } catch (error) {
    if (error instanceof QueryRejectedError) return failureOf(error.error);
    throw error;
  }
}

async function written({ asset }: TaskWork, staging: StagingTable<StagedRows>): Promise<WrittenRows | Failure> {
  const { files, snapshotId } = await staging.written();
  if (snapshotId === null)
    return failure(
      'result-incomplete',
      `Spark didn't write the rows of ${asset.name}. Nothing was stored.`,
      'Run it again.',
    );
  return { files, rows: files.reduce((sum, file) => sum + Number(file.record_count), 0) };
}

/** Only rows that replace all others can have columns that the table lacks. */
function unknownColumn({ asset }: TaskWork, columns: readonly RowColumn[], { fields }: RowTarget): Failure | null {
  const known = new Set(fields.map(({ name }) => name.toLowerCase()));
  const unknown = columns.find(({ name }) => !known.has(name.toLowerCase()));
  if (unknown === undefined) return null;
  return failure(
    'column-mismatch',
    `${asset.name} returned the column ${unknown.name}, which the table doesn't have. Its columns: ${fields.map(({ name }) => name).join(', ')}.`,
    'Leave it out, add it with svc table alter, or build all rows again with --full-refresh.',
  );
}
