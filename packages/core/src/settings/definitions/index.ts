import type * as z from 'zod';
import { governanceSettings } from './governance.ts';
import { operationsSettings } from './operations.ts';
import { querySettings } from './queries.ts';
import { serviceSettings } from './service.ts';
import { sqlSettings } from './sql.ts';
import { storageSettings } from './storage.ts';
import { workerSettings } from './workers.ts';

/** Every setting of the server and the worker. Any other `SVC_` name stops the start (SERVICE-2). */
export const SETTINGS = {
  ...serviceSettings,
  ...sqlSettings,
  ...storageSettings,
  ...querySettings,
  ...workerSettings,
  ...governanceSettings,
  ...operationsSettings,
};

export type Settings = { [K in keyof typeof SETTINGS]: z.output<(typeof SETTINGS)[K]['read']> };
