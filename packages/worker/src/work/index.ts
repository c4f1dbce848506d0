export type { WorkerDeps } from './deps.ts';
export { startWorker, type Worker } from './worker.ts';
