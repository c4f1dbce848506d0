import type { JobState } from './contract.ts';

/** What decides a job's display state (specification 3.2). */
export interface JobSituation {
  hasSchedule: boolean;
  paused: boolean;
  /** Whether a start waits. */
  waiting: boolean;
  /** Whether the project has an active run. */
  projectBusy: boolean;
  /** The bound run principal; null when none is bound. */
  runPrincipal: { usable: boolean } | null;
}

/** Display state of a job; where several hold, the first one of `JOB_STATES`. */
export function jobState(job: JobSituation): JobState {
  if (job.waiting) return job.projectBusy ? 'waiting' : 'waiting to start';
  if (!job.hasSchedule) return 'no schedule';
  if (job.paused) return 'paused';
  if (job.runPrincipal === null) return 'no run principal';
  return job.runPrincipal.usable ? 'scheduled' : 'run principal unusable';
}
