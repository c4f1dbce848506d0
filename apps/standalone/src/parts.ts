/** Most of the program: it is read while the database starts. */
export { startApi } from '@svc/api/process';
export { openDatabase } from '@svc/db/connection';
export { migrate } from '@svc/db/migrate';
export { Sandbox, sandboxLimits } from '@svc/lake/queries';
export { openStore, s3Options } from '@svc/lake/storage';
export { startWorkerProcess } from '@svc/worker/process';
