import { join, resolve } from 'node:path';
import { setTranslationPrefixes } from '@svc/core/addresses';
import { requireSetting, type Settings } from '@svc/core/settings';
import type { Traces } from '@svc/core/traces';
import { DatabaseClock } from '@svc/db/clock';
import { type Database, openDatabase } from '@svc/db/connection';
import { ownStorages } from '@svc/db/environments';
import { migrate } from '@svc/db/migrate';
import { sealingKeys } from '@svc/db/secrets';
import { Sandbox, sandboxLimits } from '@svc/lake/queries';
import { type ObjectStore, openStore, routedStore, type StorageOptions, storageOptions } from '@svc/lake/storage';
import type { Logger } from 'pino';
import type { Shutdown } from '../process/shutdown.ts';

/** What the API and the worker of an instance share. */
export interface Instance {
  readonly db: Database;
  readonly store: ObjectStore;
  readonly sandbox: Sandbox;
  /** 32 bytes in base64: the key that encrypts secrets. */
  readonly secretsKey: string;
  /** The folder for temporary files, Python environments and unpacked projects. */
  readonly workDir: string;
  /** The database's clock, so that all processes agree on the time. */
  readonly clock: () => Date;
}

export interface InstanceOptions {
  readonly log: Logger;
  readonly traces?: Traces | undefined;
  /** Gets the steps that close the instance. */
  readonly shutdown: Shutdown;
  /** Maximum number of database connections. */
  readonly poolSize: number;
  /** Number of query processes that wait for queries. */
  readonly prefork: number;
  /** Default: the settings, which then are required. */
  readonly databaseUrl?: string;
  readonly storageLocation?: string;
  readonly secretsKey?: string;
  /** Default: `work` in the home folder. */
  readonly workDir?: string;
  /** For tests (default: the database's clock). */
  readonly clock?: () => Date;
  /** Timeout and number of attempts for requests to a bucket. */
  readonly storageTimeouts?: Pick<StorageOptions, 'idleTimeoutMs' | 'maxAttempts'>;
}

/** Opens the storage and the database of an instance, and migrates the database. */
export async function openInstance(settings: Settings, options: InstanceOptions): Promise<Instance> {
  const { log, traces, shutdown, poolSize, prefork } = options;
  setTranslationPrefixes(settings.nat64Prefixes);
  const url = options.databaseUrl ?? requireSetting(settings, 'databaseUrl');
  const secretsKey = options.secretsKey ?? requireSetting(settings, 'secretsKey');
  const location = options.storageLocation ?? requireSetting(settings, 'storageLocation');
  const home = resolve(settings.home);
  const workDir = options.workDir ?? join(home, 'work');
  const storage = {
    ...storageOptions(settings, home, () => (options.clock?.() ?? new Date()).getTime()),
    ...options.storageTimeouts,
  };
  const instanceStore = await openStore(location, storage);
  await migrate(url, { log });
  const db = await openDatabase({ url, log, poolSize, traces });
  shutdown.add(() => db.close());
  const clock = options.clock ?? (await openClock(db, log, shutdown));
  const store = routedStore(instanceStore, storage, ownStorages(db, sealingKeys(secretsKey, settings.oldSecretsKeys)));
  const resultCacheBytes = settings.queryResultCache ?? 0;
  const tempDir = join(workDir, 'queries');
  // Where seeds of projects and results of Python tasks are read from.
  const inputFolders = [...settings.externalLocations, join(workDir, 'projects'), join(workDir, 'tasks')];
  const sandbox = new Sandbox({
    ...sandboxLimits(settings),
    store,
    tempDir,
    inputFolders,
    prefork,
    resultCacheBytes,
  });
  shutdown.add(() => sandbox.close());
  return { db, store, sandbox, secretsKey, workDir, clock };
}

async function openClock(db: Database, log: Logger, shutdown: Shutdown): Promise<() => Date> {
  const clock = await DatabaseClock.open({ db, log });
  shutdown.add(() => clock.stop());
  return clock.now;
}
