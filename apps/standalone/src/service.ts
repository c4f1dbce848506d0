import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ApiOptions } from '@svc/api/process';
import type { Settings } from '@svc/core/settings';
import type { Traces } from '@svc/core/traces';
import type { Database } from '@svc/db/connection';
import { startEmbedded } from '@svc/db/embedded';
import type { S3Options } from '@svc/lake/storage';
import type { WorkerOptions } from '@svc/worker/process';
import type { Logger } from 'pino';
import { type Home, openHome } from './home.ts';

/** A running standalone service. */
export interface Service {
  url: string;
  home: Home;
  /** What people should know, such as that Python is missing. */
  notes: string[];
  /** For tests that move the clock: a turn now of every background loop, or of one, waited for. */
  turn: (loop?: string) => Promise<void>;
  /** Answers what is under way and stops everything. @throws AggregateError when something did not stop cleanly */
  stop: () => Promise<void>;
}

/** What a start may add. */
export interface Additions {
  /** For tests: holds every answer against its schema. */
  checkAnswers?: boolean;
  /** For tests; else the system's. */
  clock?: () => Date;
  traces?: Traces | undefined;
  /** For tests: timeout and number of attempts for requests to a bucket. */
  storageTimeouts?: Pick<S3Options, 'silentMs' | 'tries'>;
}

const POOL_SIZE = 12;

export const version: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;

/** Opens the database (by default an embedded one), migrates it, and starts API and worker on it. */
export async function startService(settings: Settings, log: Logger, additions: Additions = {}): Promise<Service> {
  const home = openHome(resolve(settings.home), { token: settings.bootstrapToken, secretsKey: settings.secretsKey });
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    const failures: unknown[] = [];
    for (const close of stops.splice(0).reverse()) {
      await close().catch((error: unknown) => {
        log.error({ err: error }, 'stopping failed');
        failures.push(error);
      });
    }
    if (failures.length > 0) throw new AggregateError(failures, "the service didn't stop cleanly");
  };
  try {
    return await start(settings, log, additions, home, stops, stop);
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}

async function start(
  settings: Settings,
  log: Logger,
  { checkAnswers = false, clock = () => new Date(), traces, storageTimeouts = {} }: Additions,
  home: Home,
  stops: (() => Promise<void>)[],
  stop: () => Promise<void>,
): Promise<Service> {
  const workDir = join(home.folder, 'work');
  const [url, parts] = await Promise.all([settings.databaseUrl ?? embedded(home, log, stops), import('./parts.ts')]);
  const { migrate, openDatabase, Sandbox, sandboxLimits, startApi, startWorkerProcess } = parts;
  const { createWorkMetrics, LocalDispatcher } = parts;
  await migrate(url, undefined, log);
  const db = await openDatabase({ url, log, poolSize: POOL_SIZE, traces });
  stops.push(() => db.close());
  const store = await openStorage(settings, home, { parts, db, clock, storageTimeouts });
  const sandbox = new Sandbox({ ...sandboxLimits(settings), store, tempDir: join(workDir, 'queries'), prefork: 1 });
  stops.push(() => sandbox.close());
  const { token: bootstrapToken, secretsKey } = home;
  const metrics = createWorkMetrics({ sandbox });
  const own = { furtherMetrics: metrics.registry, checkAnswers, clock };
  const dispatcher = new LocalDispatcher();
  const shared = { settings, secretsKey, db, store, sandbox, log, dispatcher } satisfies Partial<
    ApiOptions & WorkerOptions
  >;
  const api = await startApi({ ...shared, version, bootstrapToken, ...own });
  stops.push(() => api.stop());
  const apiUrl = settings.publicUrl ?? api.url;
  const worker = await startWorkerProcess({ ...shared, apiUrl, workDir, metrics, clock });
  stops.push(async () => {
    api.drain();
    await worker.stop();
  });
  return { url: apiUrl, home, notes: worker.notes, turn: worker.tick, stop };
}

interface StorageParts extends Required<Pick<Additions, 'clock' | 'storageTimeouts'>> {
  parts: typeof import('./parts.ts');
  db: Database;
}

async function openStorage(
  settings: Settings,
  { folder, secretsKey }: Home,
  { parts, db, clock, storageTimeouts }: StorageParts,
) {
  const { openStore, ownStorages, routedStore, s3Options, sealingKeys } = parts;
  const s3 = { ...s3Options(settings, folder, () => clock().getTime()), ...storageTimeouts };
  const instance = await openStore(settings.storageLocation ?? join(folder, 'warehouse'), s3);
  return routedStore(instance, s3, ownStorages(db, sealingKeys(secretsKey, settings.oldSecretsKeys)));
}

async function embedded(home: Home, log: Logger, stops: (() => Promise<void>)[]): Promise<string> {
  const server = await startEmbedded({ dataDir: join(home.folder, 'postgres'), log });
  stops.push(() => server.stop());
  return server.url;
}
