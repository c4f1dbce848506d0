import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FailureCode } from '@svc/core/errors';
import { z } from 'zod';
import { type Breach, limitFailure, type TaskLimits } from '../limits/index.ts';
import type { PythonTask, PythonTaskResult, TaskColumn } from './python-task.ts';
import { FREE_SPACE } from './uv-failure.ts';

const columnSchema = z.object({ name: z.string(), type: z.string() });
/** `untyped`: without a value that shows the type. */
const rowColumnSchema = columnSchema.extend({ untyped: z.literal(true).optional() });

/** The columns of a DataFrame that Spark will write. */
const frameSchema = z.object({ columns: z.array(columnSchema).min(1) });

const resultSchema = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('failed'),
    error: z.object({ type: z.string(), detail: z.string(), system: z.string().nullish() }),
  }),
  z.object({
    status: z.literal('succeeded'),
    kind: z.enum(['table', 'artifact', 'staged']),
    file: z.enum(['data.parquet', 'data.ndjson', 'artifact.bin']).optional(),
    format: z.enum(['parquet', 'ndjson']).optional(),
    rows: z.int().min(0).optional(),
    columns: z.array(rowColumnSchema).nullable().optional(),
    name: z.string().optional(),
    bytes: z.int().min(0).optional(),
  }),
]);

const MAX_RESULT_BYTES = 8 * 1024 * 1024;
/** Maximum length of a file name. */
const MAX_NAME_BYTES = 255;

export function failed(code: FailureCode, detail: string, remedy: string | null, cancelled = false): PythonTaskResult {
  return { status: cancelled ? 'cancelled' : 'failed', failure: { code, detail, remedy } };
}

export const overLimit = (task: PythonTask, breach: Breach): PythonTaskResult => ({
  status: 'failed',
  failure: limitFailure(task.asset, breach),
});

/** Project code shares the output folder, so its contents are validated and not trusted. */
export async function readResult(
  task: PythonTask,
  { output, limits }: { readonly output: string; readonly limits: TaskLimits },
  exitCode: number,
): Promise<PythonTaskResult> {
  const unreadable = (): PythonTaskResult =>
    failed('task-failed', `the task ${task.asset} exited with code ${exitCode} and without a result`, null);
  const parsed = resultSchema.safeParse(await readJson(task, output, 'result.json'));
  if (!parsed.success) return (await foundNoSpace(output, exitCode)) ? workerDiskFull(task) : unreadable();
  const result = parsed.data;
  if (result.status === 'failed') return failedByItself(task, limits, result.error);
  if (result.kind === 'staged')
    return exitCode === 0 && task.spark?.stage ? { status: 'succeeded', kind: 'staged' } : unreadable();
  if (result.file === undefined) return unreadable();
  const file = join(output, result.file);
  const written = await lstat(file).catch(() => null);
  if (exitCode !== 0 || result.kind !== task.kind || !written?.isFile()) return unreadable();
  if (result.kind === 'artifact') {
    const name = result.name !== undefined && isObjectName(result.name) ? result.name : task.asset;
    return { status: 'succeeded', kind: 'artifact', file, name, bytes: written.size };
  }
  if (result.format === undefined || result.rows === undefined) return unreadable();
  const { format, rows, columns } = result;
  return { status: 'succeeded', kind: 'table', file, format, rows, columns: columns ?? null };
}

/** Whether the runner (`svc._runner`) failed to write its result, and left its draft. It had deleted the rows to make space. */
const foundNoSpace = async (output: string, exitCode: number): Promise<boolean> =>
  exitCode === 1 && ((await lstat(join(output, 'result.tmp')).catch(() => null))?.isFile() ?? false);

/** Whether it can be the last segment of a location, in a folder as in a bucket. */
const isObjectName = (name: string): boolean =>
  /^(?!\.{1,2}$)[^/\\\p{Cc}]+$/u.test(name) && name.isWellFormed() && Buffer.byteLength(name) <= MAX_NAME_BYTES;

/** Returns the columns of the DataFrame that a task announced; null if they can't be read. */
export async function readFrame(task: PythonTask, output: string): Promise<TaskColumn[] | null> {
  const parsed = frameSchema.safeParse(await readJson(task, output, 'frame.json'));
  return parsed.success ? parsed.data.columns : null;
}

/** Reads a file that the task wrote; undefined if it isn't valid. */
async function readJson(task: PythonTask, output: string, name: string): Promise<unknown> {
  // A link instead of the folder would lead to files of others.
  if (!(await lstat(output).catch(() => null))?.isDirectory()) return undefined;
  const path = join(output, name);
  const stats = await lstat(path).catch(() => null);
  if (!stats?.isFile() || stats.size > MAX_RESULT_BYTES) return undefined;
  try {
    return JSON.parse((await readFile(path, 'utf8')).replaceAll(task.token, '***'));
  } catch {
    return undefined;
  }
}

/** A failure caused by a limit is reported as that limit. */
function failedByItself(
  task: PythonTask,
  { open_files: openFiles, disk }: TaskLimits,
  error: { detail: string; system?: string | null | undefined },
): PythonTaskResult {
  const note = `${error.detail.slice(0, 1000)}.`;
  if (error.system === 'EMFILE' && openFiles !== null)
    return overLimit(task, { limit: 'open_files', bound: openFiles, measured: null, note });
  if (error.system === 'EFBIG' && disk !== null)
    return overLimit(task, { limit: 'disk', bound: disk, measured: null, note });
  if (error.system === 'ENOSPC' || error.system === 'EDQUOT') return workerDiskFull(task, error.detail);
  return failed('task-failed', error.detail, null);
}

function workerDiskFull({ asset }: PythonTask, cause?: string): PythonTaskResult {
  const detail = `The disk of the worker is full${cause === undefined ? '' : `: ${cause}`}. Nothing of ${asset} was stored.`;
  return failed('worker-disk-full', detail, FREE_SPACE);
}
