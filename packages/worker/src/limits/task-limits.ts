import type { Settings } from '@svc/core/settings';
import type { EnforcedBy, TaskLimitName } from '@svc/core/workers';

/** The limits of one Python task; null means no limit. Memory and disk are in bytes. */
export type TaskLimits = Readonly<Record<TaskLimitName, number | null>>;

/** How each limit is enforced on this machine. */
export type EnforcedLimits = Readonly<Record<TaskLimitName, EnforcedBy>>;

/** A limit that a task exceeded. */
export interface Breach {
  readonly limit: TaskLimitName;
  readonly bound: number;
  /** The measured amount; null if the kernel enforced the limit and the worker measured nothing. */
  readonly measured: number | null;
  /** What a breach of `disk` counts, if not bytes. */
  readonly counts?: 'files';
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
