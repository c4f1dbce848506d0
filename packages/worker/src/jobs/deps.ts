import type { WorkerDeps } from '../work/deps.ts';

/** The part of a worker's dependencies that the scheduler needs. */
export type SchedulerDeps = Pick<WorkerDeps, 'db' | 'clock' | 'newId' | 'step'>;
