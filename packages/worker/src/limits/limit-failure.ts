import type { Failure, FailureCode } from '@svc/core/errors';
import { TASK_LIMITS, type TaskLimitName, taskLimitText } from '@svc/core/workers';
import type { Breach } from './task-limits.ts';

interface LimitText {
  readonly code: FailureCode;
  readonly setting: string;
  /** What the task did; the text before the measured amount. */
  readonly what: string;
  readonly remedy: string;
}

const LIMIT_TEXTS: Record<TaskLimitName, LimitText> = {
  memory: {
    code: 'task-memory-exceeded',
    setting: 'SVC_RUN__TASK_MEMORY',
    what: 'exceeded its memory limit',
    remedy: 'read fewer columns or smaller batches',
  },
  processes: {
    code: 'task-processes-exceeded',
    setting: 'SVC_RUN__TASK_PROCESSES',
    what: 'exceeded its limit of processes and threads',
    remedy: 'use smaller pools of processes and threads',
  },
  open_files: {
    code: 'task-open-files-exceeded',
    setting: 'SVC_RUN__TASK_OPEN_FILES',
    what: 'exceeded the limit of open files and connections per process',
    remedy: 'close files and connections after use',
  },
  disk: {
    code: 'task-disk-exceeded',
    setting: 'SVC_RUN__TASK_DISK',
    what: 'exceeded its disk limit',
    remedy: 'delete temporary files after use, or return less',
  },
};

/** Error codes of tasks that exceeded a limit. A retry would exceed it again. */
export const LIMIT_CODES: ReadonlyMap<string, TaskLimitName> = new Map(
  TASK_LIMITS.map((limit) => [LIMIT_TEXTS[limit].code, limit]),
);

/** The setting of the operator that raises a limit of tasks. */
export const limitSetting = (limit: TaskLimitName): string => LIMIT_TEXTS[limit].setting;

/** The failure of a task that exceeded a limit: names the limit, its value and how to change it. */
export function limitFailure(asset: string, { limit, bound, measured, note }: Breach): Failure {
  const { code, setting, what, remedy } = LIMIT_TEXTS[limit];
  const amount = measured === null ? '' : `: ${taskLimitText(limit, measured)}`;
  const detail = `The task ${asset} ${what}${amount} (limit: ${taskLimitText(limit, bound)}).`;
  return {
    code,
    detail: note === undefined ? detail : `${detail} ${note}`,
    remedy: `In the function of ${asset}, ${remedy}, or have the operator of the worker raise ${setting}.`,
  };
}
