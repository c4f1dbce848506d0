/** Most of the program: it is read while the database starts. */
export { startApi } from '@svc/api/process';
export { openDatabase } from '@svc/db/connection';
export { ownStorages } from '@svc/db/environments';
export { migrate } from '@svc/db/migrate';
export { LocalDispatcher } from '@svc/db/queries';
export { sealingKeys } from '@svc/db/secrets';
export { Sandbox, sandboxLimits } from '@svc/lake/queries';
export { openStore, routedStore, s3Options } from '@svc/lake/storage';
export { createWorkMetrics } from '@svc/worker/metrics';
export { startWorkerProcess } from '@svc/worker/process';
