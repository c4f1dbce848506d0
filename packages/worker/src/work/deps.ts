import type { Settings } from '@svc/core/settings';
import type { Database } from '@svc/db/connection';
import type { Sandbox } from '@svc/lake/queries';
import type { ObjectStore } from '@svc/lake/storage';
import type { Logger } from 'pino';
import type { PythonTool } from '../runs/python-tool.ts';

/** Everything a worker is given; there is no global state. */
export interface WorkerDeps {
  db: Database;
  store: ObjectStore;
  sandbox: Sandbox;
  settings: Settings;
  log: Logger;
  clock: () => Date;
  /** Cryptographic randomness. */
  random: (bytes: number) => Uint8Array;
  newId: () => string;
  /** This process, as leases name it. */
  owner: string;
  /** Where tasks reach the API. */
  apiUrl: string;
  /** Folder for environments, caches and unpacked projects of this worker. */
  workDir: string;
  /** Null where the machine has none; then Python assets say so. */
  python: PythonTool | null;
  /** Path of the uv program; null where there is none. */
  uv: string | null;
}
