export { type RunningWorker, startWorkerProcess, type WorkerOptions } from './start-worker-process.ts';
