import type { WorkerDeps } from '../work/deps.ts';

/** What the sweep needs. */
export type SweepDeps = Pick<WorkerDeps, 'db' | 'store' | 'clock' | 'newId' | 'settings' | 'log' | 'step'>;
