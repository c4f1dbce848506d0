import type { WorkerDeps } from '../work/deps.ts';

/** What of a worker's parts the scheduler needs. */
export type SchedulerDeps = Pick<WorkerDeps, 'db' | 'clock' | 'newId' | 'step'>;
