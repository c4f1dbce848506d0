export { listWorkers, removeWorker, reportWorker, type WorkerReport } from './workers.ts';
