import type { Failure, FailureCode } from '../errors/index.ts';

/** Codes of a task's errors whose messages never quote rows: they name objects, columns, times and limits. */
const QUOTES_NOTHING: ReadonlySet<string> = new Set<FailureCode>([
  'already-exists',
  'cancelled',
  'check-failed',
  'disk-full',
  'engine-died',
  'engine-unavailable',
  'environment-deleted',
  'kind-changed',
  'no-columns',
  'no-watermark-column',
  'not-allowed',
  'not-found',
  'out-of-memory',
  'quota-exceeded',
  'skipped',
  'superseded',
  'table-not-found',
  'task-disk-exceeded',
  'task-memory-exceeded',
  'task-open-files-exceeded',
  'task-processes-exceeded',
  'tasks-failed',
  'timeout',
  'version-not-found',
  'worker-lost',
  'write-conflict',
]);

/** Whether the message of a task's error can quote rows of the tables that the task read or wrote (RUN-21). */
export const quotesRows = ({ code }: Pick<Failure, 'code'>): boolean => !QUOTES_NOTHING.has(code);

/** The lines of the log about an error of a task. */
export function failureLines({ detail, remedy }: Failure, seconds: string): string[] {
  const failed = `failed after ${seconds} s: ${detail.split('\n', 1)[0]}`;
  return remedy === null ? [failed] : [failed, `next: ${remedy}`];
}

/** Whether the service wrote the line about an error of a task. */
export const isFailureLine = (line: string): boolean => line.startsWith('failed after ') || line.startsWith('next: ');
