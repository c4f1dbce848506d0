import type { Settings } from '@svc/core/settings';
import type { HeadKeys } from '@svc/db/audit';
import type { Database } from '@svc/db/connection';
import type { QueryDesk } from '@svc/db/queries';
import type { SealingKeys } from '@svc/db/secrets';
import type { QueryEngine, Sandbox } from '@svc/lake/queries';
import type { ObjectStore } from '@svc/lake/storage';
import type { Logger } from 'pino';
import type { Isolation } from '../isolation/index.ts';
import type { Enforcement } from '../limits/index.ts';
import type { WorkMetrics } from '../metrics/work-metrics.ts';
import type { FoundTool } from '../runs/programs/find-tools.ts';

/** Where a worker may die: tests kill it there. */
export type WorkStep =
  | 'time.booking'
  | 'time.booked'
  | 'start.beginning'
  | 'start.begun'
  | 'claimed'
  | 'query.answered'
  | 'deploy.archived'
  | 'task.begun'
  | 'maintenance.rewritten'
  | 'commit.prepared'
  | 'commit.done'
  | 'purge.taken'
  | 'purge.counted'
  | 'purge.deleted'
  | 'run.ending'
  | 'ended'
  | 'webhook.sent';

/** Everything a worker is given; there is no global state. */
export interface WorkerDeps {
  db: Database;
  store: ObjectStore;
  sandbox: Sandbox;
  /** Runs the statements of `svc sql`; what is built and maintained is DuckDB's in any case. */
  engine: QueryEngine;
  settings: Settings;
  /** Open secrets. */
  sealing: SealingKeys;
  /** Sign heads of the audit log. */
  headKeys: HeadKeys;
  log: Logger;
  clock: () => Date;
  /** Cryptographic randomness. */
  random: (bytes: number) => Uint8Array;
  newId: () => string;
  /** This process, as leases name it. */
  owner: string;
  /** Name of this machine. */
  host: string;
  /** What people should know, such as that Python is missing. */
  notes: readonly string[];
  /** Where tasks reach the API. */
  apiUrl: string;
  /** Folder for environments, caches and unpacked projects of this worker. */
  workDir: string;
  /** Null where the machine has none that is new enough; then Python assets say so. */
  python: FoundTool | null;
  uv: FoundTool | null;
  /** How what may run a project's code is held apart from this process. */
  isolation: Isolation;
  /** The limits of Python tasks, and how they are enforced here. */
  enforcement: Enforcement;
  /** Folder of the Python package of this service: the module `svc` in `src`. */
  sdk: string;
  /** Certificates and proxy of the worker's own environment, which uv and tasks may see. */
  passThrough: Readonly<Record<string, string>>;
  /** Of the API in the same process: where queries are taken as they are stored. */
  desk?: QueryDesk | undefined;
  /** Told of what is done, where somebody measures it. */
  metrics?: WorkMetrics | undefined;
  /** Told of each step of the work; waited for. */
  step?: ((step: WorkStep) => Promise<void>) | undefined;
}
