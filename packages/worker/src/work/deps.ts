import type { Settings } from '@svc/core/settings';
import type { HeadKeys } from '@svc/db/audit';
import type { Database } from '@svc/db/connection';
import type { LocalDispatcher } from '@svc/db/queries';
import type { SealingKeys } from '@svc/db/secrets';
import type { AuditArchive } from '@svc/lake/audit';
import type { Engines } from '@svc/lake/engines';
import type { QueryEngine, Sandbox } from '@svc/lake/queries';
import type { ObjectStore } from '@svc/lake/storage';
import type { Logger } from 'pino';
import type { Isolation } from '../isolation/index.ts';
import type { Enforcement } from '../limits/index.ts';
import type { WorkMetrics } from '../metrics/work-metrics.ts';
import type { TaskNetwork } from '../outgoing/index.ts';
import type { InstalledTool } from '../programs/find-tools.ts';
import type { BatchedStatements } from './statements.ts';

/** Points at which tests kill a worker. */
export type WorkStep =
  | 'time.enqueueing'
  | 'time.enqueued'
  | 'start.starting'
  | 'start.started'
  | 'claimed'
  | 'query.answered'
  | 'deploy.archived'
  | 'task.started'
  | 'maintenance.rewritten'
  | 'clone.copied'
  | 'staging.created'
  | 'staging.written'
  | 'commit.prepared'
  | 'commit.done'
  | 'purge.taken'
  | 'purge.counted'
  | 'purge.deleted'
  | 'run.ending'
  | 'finished'
  | 'webhook.sent'
  | 'archive.written'
  | 'archive.recorded';

/** Everything a worker depends on; there is no global state. */
export interface WorkerDeps {
  db: Database;
  statements: BatchedStatements;
  store: ObjectStore;
  /** The archived parts of the audit log. */
  archive: AuditArchive;
  sandbox: Sandbox;
  /** Runs the statements of `svc sql`. */
  engine: QueryEngine;
  /** The engines that assets can be built on. */
  engines: Engines;
  settings: Settings;
  /** Keys that decrypt secrets. */
  sealing: SealingKeys;
  /** Keys that sign the heads of the audit log. */
  headKeys: HeadKeys;
  log: Logger;
  clock: () => Date;
  /** Cryptographic randomness. */
  random: (bytes: number) => Uint8Array;
  newId: () => string;
  /** The name of this process in leases. */
  owner: string;
  host: string;
  /** Messages for operators, such as that Python is missing. */
  notes: readonly string[];
  /** The URL at which tasks reach the API. */
  apiUrl: string;
  /** Folder for this worker's Python environments, caches and unpacked projects. */
  workDir: string;
  /** Null if this machine has no recent enough version; Python assets then fail with an error that says so. */
  python: InstalledTool | null;
  uv: InstalledTool | null;
  /** How processes that may run a project's code are isolated from this one. */
  isolation: Isolation;
  /** What Python tasks can connect to; null: everything that this process reaches. */
  taskNetwork: TaskNetwork | null;
  /** The limits of Python tasks, and how this machine enforces them. */
  enforcement: Enforcement;
  /** Folder of this service's Python package: the module `svc` is in `src`. */
  sdk: string;
  /** Certificate and proxy variables of the worker's own process that uv and tasks may see. */
  inheritedEnv: Readonly<Record<string, string>>;
  /** The dispatcher of the API in the same process: takes queries whose clients wait. */
  dispatcher?: LocalDispatcher | undefined;
  /** Receives measurements of the work, if metrics are collected. */
  metrics?: WorkMetrics | undefined;
  /** Called, and awaited, at each step of the work. */
  step?: ((step: WorkStep) => Promise<void>) | undefined;
}
