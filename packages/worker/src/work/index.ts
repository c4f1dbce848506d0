export type { WorkerDeps, WorkStep } from './deps.ts';
export { startWorker, type Worker } from './worker.ts';
