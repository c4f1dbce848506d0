import type { WorkerDeps } from '../work/deps.ts';

/** The dependencies of the sweep. */
export type SweepDeps = Pick<WorkerDeps, 'db' | 'store' | 'clock' | 'newId' | 'settings' | 'log' | 'step'>;
