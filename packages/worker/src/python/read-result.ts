import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FailureCode } from '@svc/core/errors';
import { z } from 'zod';
import { type Breach, limitFailure, type TaskLimits } from '../limits/index.ts';
import type { PythonTask, PythonTaskResult } from './python-task.ts';

const resultSchema = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('failed'),
    error: z.object({ type: z.string(), detail: z.string(), system: z.string().nullish() }),
  }),
  z.object({
    status: z.literal('succeeded'),
    kind: z.enum(['table', 'artifact']),
    file: z.enum(['data.parquet', 'data.ndjson', 'artifact.bin']),
    format: z.enum(['parquet', 'ndjson']).optional(),
    rows: z.int().min(0).optional(),
    columns: z
      .array(z.object({ name: z.string(), type: z.string() }))
      .nullable()
      .optional(),
    name: z.string().optional(),
    bytes: z.int().min(0).optional(),
  }),
]);

const MAX_RESULT_BYTES = 8 * 1024 * 1024;

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
    failed('task-failed', `the task ${task.asset} exited with code ${exitCode} and without a result`, 'see its log');
  // A link instead of the folder would lead to files of others.
  if (!(await lstat(output).catch(() => null))?.isDirectory()) return unreadable();
  const path = join(output, 'result.json');
  const stats = await lstat(path).catch(() => null);
  if (!stats?.isFile() || stats.size > MAX_RESULT_BYTES) return unreadable();
  let json: unknown;
  try {
    json = JSON.parse((await readFile(path, 'utf8')).replaceAll(task.token, '***'));
  } catch {
    return unreadable();
  }
  const parsed = resultSchema.safeParse(json);
  if (!parsed.success) return unreadable();
  const result = parsed.data;
  if (result.status === 'failed') return failedByItself(task, limits, result.error);
  const file = join(output, result.file);
  const written = await lstat(file).catch(() => null);
  if (exitCode !== 0 || result.kind !== task.kind || !written?.isFile()) return unreadable();
  if (result.kind === 'artifact') {
    const name = /^[^/\\\p{Cc}]{1,255}$/u.test(result.name ?? '') ? result.name! : task.asset;
    return { status: 'succeeded', kind: 'artifact', file, name, bytes: written.size };
  }
  if (result.format === undefined || result.rows === undefined) return unreadable();
  const { format, rows, columns } = result;
  return { status: 'succeeded', kind: 'table', file, format, rows, columns: columns ?? null };
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
  if (error.system === 'ENOSPC' || error.system === 'EDQUOT') {
    const detail = `The disk of the worker is full: ${error.detail}. Nothing of ${task.asset} was stored.`;
    return failed('worker-disk-full', detail, 'have the operator of the worker free space in its work folder');
  }
  return failed('task-failed', error.detail, 'see the log of the task');
}
