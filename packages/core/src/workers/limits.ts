/** The limits of one Python task, in display order. */
export const TASK_LIMITS = ['memory', 'processes', 'open_files', 'disk'] as const;
export type TaskLimitName = (typeof TASK_LIMITS)[number];

/**
 * What enforces a limit: the kernel, for the whole task (`cgroup`) or for each of its processes (`rlimit`), the worker,
 * which measures and kills (`watchdog`), or nothing (`none`).
 */
export const ENFORCED_BY = ['cgroup', 'rlimit', 'watchdog', 'none'] as const;
export type EnforcedBy = (typeof ENFORCED_BY)[number];

const SIZES = [
  { unit: 'GB', bytes: 1e9 },
  { unit: 'MB', bytes: 1e6 },
  { unit: 'KB', bytes: 1e3 },
];

/** An amount for people: `4 GB` of memory or disk, or a number of processes or files. */
export function taskLimitText(limit: TaskLimitName, amount: number): string {
  if (limit === 'processes') return `${amount} processes and threads`;
  if (limit === 'open_files') return `${amount} open files`;
  const size = SIZES.find(({ bytes }) => amount >= bytes);
  // Rounded up, so that an amount above a limit never looks equal to it.
  return size === undefined ? `${amount} bytes` : `${Math.ceil((amount / size.bytes) * 100) / 100} ${size.unit}`;
}
