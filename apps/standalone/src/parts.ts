/** Most of the program, which loads while the database starts. */
export { startApi } from '@svc/api/process';
export { LocalDispatcher } from '@svc/db/queries';
export { openInstance } from '@svc/instance/open';
export { createWorkMetrics } from '@svc/worker/metrics';
export { startWorkerProcess } from '@svc/worker/process';
