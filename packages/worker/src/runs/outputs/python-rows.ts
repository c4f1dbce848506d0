import { makeTokenText } from '@svc/core/access';
import type { Failure } from '@svc/core/errors';
import { sandboxOwner } from '@svc/core/queries';
import { hashToken, revokeToken, storeToken } from '@svc/db/access';
import { traceparentOf } from '@svc/db/connection';
import { fileLocation } from '@svc/iceberg';
import { inferExternalColumns, load } from '@svc/lake/writes';
import { LIMIT_CODES, removeFolder } from '../../limits/index.ts';
import type { PythonTaskResult, SparkTask } from '../../python/python-task.ts';
import { failure } from '../../work/failures.ts';
import { preparePython } from '../python-environment.ts';
import type { TaskWork } from '../run-work.ts';
import type { BuildStart } from './build-start.ts';
import type { RowColumn, RowSource } from './row-source.ts';
import { isFailure } from './target.ts';

/** The output of a Python function, and the folder to remove after it has been loaded. */
export interface PythonOutput {
  result: Extract<PythonTaskResult, { status: 'succeeded' }>;
  close: () => Promise<void>;
}

/**
 * Runs the function of a Python asset with a task token that expires with the task.
 * @param stage opens a table for the DataFrame that the function of a Spark asset returned
 */
export async function callPython(
  work: TaskWork,
  { watermark, isFirstRun }: Pick<BuildStart, 'watermark' | 'isFirstRun'>,
  stage?: SparkTask['stage'],
): Promise<PythonOutput | Failure> {
  const { deps, asset, run, environment, signal, log } = work;
  if (asset.source.language !== 'python') throw new Error(`${asset.name} isn't a Python asset`);
  const spark = asset.engine === 'spark' ? sparkTask(work, stage) : undefined;
  if (spark !== undefined && isFailure(spark)) return spark;
  const prepared = await preparePython(work);
  if (isFailure(prepared)) return prepared;
  const interpreter = await work.interpreters.take(prepared);
  const close = () => removeFolder(interpreter.workDir);
  const token = await mintToken(work).catch(async (error: unknown) => {
    await interpreter.discard();
    await close();
    throw error;
  });
  try {
    const result = await interpreter.run({
      asset: asset.name,
      kind: asset.kind === 'artifact' ? 'artifact' : 'table',
      file: asset.file,
      function: asset.source.function,
      runId: run.id,
      environment: environment.name,
      url: deps.apiUrl,
      token: token.text,
      watermark,
      isFirstRun,
      signal,
      traceparent: traceparentOf(deps.db),
      spark,
      onLine: (stream, line) => log.line(asset.name, stream, line),
    });
    if (result.status === 'succeeded') return { result, close };
    await close();
    const limit = LIMIT_CODES.get(result.failure.code);
    if (limit !== undefined) deps.metrics?.overLimit(limit);
    return result.failure;
  } catch (error) {
    await close();
    throw error;
  } finally {
    await revokeToken(deps.db.prisma, { id: token.id, by: null, now: deps.clock() });
  }
}

/** The Spark server for a task. */
function sparkTask({ deps, asset }: TaskWork, stage: SparkTask['stage']): SparkTask | Failure {
  const server = deps.settings.sparkConnect;
  if (server === undefined)
    return failure(
      'engine-unavailable',
      `${asset.name} works with Spark, but this service has no Spark Connect server.`,
      'Have the operator set SVC_RUN__SPARK_CONNECT, or remove engine="spark" from the decorator.',
    );
  const marker = `svc-frame-${Buffer.from(deps.random(16)).toString('hex')}`;
  return { server, catalog: `${deps.apiUrl.replace(/\/$/, '')}/catalog`, marker, stage };
}

/** How long a task may take. */
export const taskSeconds = ({ deps, run, version }: Pick<TaskWork, 'deps' | 'run' | 'version'>): number =>
  run.timeout_seconds ?? version.defaults.timeoutSeconds ?? deps.settings.taskTimeoutSeconds;

async function mintToken(work: TaskWork): Promise<{ id: string; text: string }> {
  const { deps, run, task, principal, environment } = work;
  const text = makeTokenText('task', deps.random);
  const id = deps.newId();
  await storeToken(deps.db.prisma, {
    id,
    principalId: principal.id,
    principal: principal.name,
    name: task.asset,
    kind: 'task',
    hash: hashToken(text),
    now: deps.clock(),
    createdBy: null,
    expiresAt: new Date(deps.clock().getTime() + (taskSeconds(work) + 60) * 1000),
    environmentId: environment.id,
    runId: run.id,
    taskId: task.id,
  });
  return { id, text };
}

/** The rows that a Python function returned, which are loaded from the folder of its task. */
export async function pythonRows(work: TaskWork, start: BuildStart): Promise<RowSource | Failure> {
  const output = await callPython(work, start);
  return isFailure(output) ? output : loadedRows(work, output);
}

/** The rows in the folder of a task. */
export async function loadedRows(work: TaskWork, output: PythonOutput): Promise<RowSource | Failure> {
  const { deps, asset, signal } = work;
  const { result } = output;
  if (result.kind !== 'table') throw new Error("the task didn't write a table");
  const { close } = output;
  const source = { files: [{ path: result.file }], format: result.format };
  const columns = await columnsOf(work, result).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  if (isFailure(columns)) {
    await close();
    return columns;
  }
  const missing = missingWatermark(work, columns);
  if (missing !== null) {
    await close();
    return missing;
  }
  return {
    columns,
    write: async ({ tableLocation, fields, layout }) => {
      const outcome = await load(deps.sandbox, {
        source,
        fields,
        tableLocation,
        ...(layout ? { layout } : {}),
        owner: ownerOf(work),
        signal,
      });
      if (!outcome.ok) return failure(outcome.error.code, outcome.error.message);
      if (outcome.rowCount !== result.rows) return incomplete(asset.name, result.rows, outcome.rowCount);
      return { files: outcome.files, rows: outcome.rowCount };
    },
    close,
  };
}

export function missingWatermark({ asset }: TaskWork, columns: readonly RowColumn[]): Failure | null {
  if (asset.watermark === null || columns.length === 0) return null;
  if (columns.some(({ name }) => name === asset.watermark)) return null;
  return failure(
    'no-watermark-column',
    `${asset.name} didn't return the column ${asset.watermark}, which the decorator declares as the watermark.`,
    'Return it or correct the decorator.',
  );
}

/** A truncated file must not count as the whole table. */
const incomplete = (asset: string, written: number, read: number): Failure =>
  failure(
    'result-incomplete',
    `The function of ${asset} returned ${written} rows, but only ${read} can be read. Nothing was stored.`,
    "Don't change the files in the task's output folder, and run it again.",
  );

/** Its rows are read by a process that serves the principal's other statements too. */
const ownerOf = ({ environment, principal }: TaskWork) => sandboxOwner(environment.id, principal.id);

type TableResult = Extract<PythonTaskResult, { kind: 'table' }>;

async function columnsOf(work: TaskWork, result: TableResult): Promise<RowColumn[] | Failure> {
  const { deps, asset } = work;
  if (result.columns !== null)
    return result.columns.map(({ name, type, untyped }) => ({ name, type, ...(untyped ? { untyped } : {}) }));
  const inferred = await inferExternalColumns(deps.sandbox, {
    format: result.format,
    locations: [fileLocation(result.file)],
    owner: ownerOf(work),
  });
  if (inferred.ok) return [...inferred.columns];
  return failure('result-unreadable', `The result of ${asset.name} can't be read: ${inferred.message}`);
}
