import type { RunTrigger } from './contract.ts';

interface StartedRun {
  id: string;
  job: string | null;
  repository: string;
  trigger: RunTrigger | null;
  /** When the schedule wanted it; null for a manual start. */
  scheduledFor: Date | null;
  /** How many earlier times of the schedule it replaces. */
  missed: number;
  /** How many starts it stands for. */
  merged: number;
}

/** The event of a run that started. */
export function runStarted({ id, job, repository, trigger, scheduledFor, missed, merged }: StartedRun) {
  const scheduled_for = scheduledFor?.toISOString() ?? null;
  return {
    type: 'RUN_STARTED' as const,
    detail: { run_id: id, job, repository, trigger, scheduled_for, missed, merged },
  };
}
