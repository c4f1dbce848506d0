import type { Settings } from '@svc/core/settings';
import type { EnforcedBy, TaskLimitName } from '@svc/core/workers';

/** The limits of one Python task; null: no limit. Memory and disk are in bytes. */
export type TaskLimits = Readonly<Record<TaskLimitName, number | null>>;

/** What each limit is enforced by on this machine. */
export type EnforcedLimits = Readonly<Record<TaskLimitName, EnforcedBy>>;

/** A limit that a task went over. */
export interface Breach {
  readonly limit: TaskLimitName;
  readonly bound: number;
  /** What was measured, where the worker measured it and the kernel did not refuse it. */
  readonly measured: number | null;
  /** More about the cause, as a sentence. */
  readonly note?: string;
}

type LimitSettings = Pick<Settings, 'taskMemory' | 'taskProcesses' | 'taskOpenFiles' | 'taskDisk'>;

export const limitsOf = (settings: LimitSettings): TaskLimits => ({
  memory: settings.taskMemory,
  processes: settings.taskProcesses,
  open_files: settings.taskOpenFiles,
  disk: settings.taskDisk,
});
