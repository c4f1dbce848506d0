import type { JobState } from './contract.ts';

/** What determines a job's display state (JOBS-15). */
export interface JobSituation {
  hasSchedule: boolean;
  paused: boolean;
  waiting: boolean;
  projectBusy: boolean;
  /** The bound run principal, or null. */
  runPrincipal: { usable: boolean } | null;
}

/** A job's display state: the first of `JOB_STATES` that applies. */
export function jobState(job: JobSituation): JobState {
  if (job.waiting) return job.projectBusy ? 'waiting' : 'waiting to start';
  if (!job.hasSchedule) return 'no schedule';
  if (job.paused) return 'paused';
  if (job.runPrincipal === null) return 'no run principal';
  return job.runPrincipal.usable ? 'scheduled' : 'run principal unusable';
}
