export type { WorkerDeps, WorkStep } from './deps.ts';
export { startLoop } from './loop.ts';
export { SchedulerRole } from './role.ts';
export { tracedEngine } from './traced.ts';
export { startWorker, type Worker } from './worker.ts';
