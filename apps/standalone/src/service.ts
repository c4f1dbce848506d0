import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Settings } from '@svc/core/settings';
import { type SqlAddress, sqlAddress } from '@svc/core/sql-endpoint';
import { startEmbedded } from '@svc/db/embedded';
import type { InstanceOptions } from '@svc/instance/open';
import { Shutdown } from '@svc/instance/process';
import type { Logger } from 'pino';
import { type Home, openHome } from './home.ts';

/** A running standalone service. */
export interface Service {
  url: string;
  /** Where clients of the PostgreSQL protocol connect; null if the endpoint is off. */
  sqlAddress: SqlAddress | null;
  home: Home;
  /** Messages for operators, such as that Python is missing. */
  notes: string[];
  /** For tests that move the clock: runs every background loop, or the named one, once and waits for it. */
  tick: (loop?: string) => Promise<void>;
  /** Answers the requests in progress and stops everything. @throws AggregateError if something didn't stop cleanly */
  stop: () => Promise<void>;
}

export interface ServiceOptions extends Pick<InstanceOptions, 'clock' | 'storageTimeouts' | 'traces'> {
  /** For tests: checks every response against its schema. */
  checkAnswers?: boolean;
}

const POOL_SIZE = 12;

export const version: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;

/** Opens the database (by default an embedded one), migrates it, and starts API and worker on it. */
export async function startService(settings: Settings, log: Logger, options: ServiceOptions = {}): Promise<Service> {
  const shutdown = new Shutdown(log);
  try {
    return await start(settings, log, options, shutdown);
  } catch (error) {
    await shutdown.run().catch(() => undefined);
    throw error;
  }
}

async function start(settings: Settings, log: Logger, options: ServiceOptions, shutdown: Shutdown): Promise<Service> {
  const { checkAnswers = false, clock, traces, storageTimeouts = {} } = options;
  const home = openHome(resolve(settings.home), { token: settings.bootstrapToken, secretsKey: settings.secretsKey });
  const [databaseUrl, parts] = await Promise.all([
    settings.databaseUrl ?? startDatabase(home, log, shutdown),
    import('./parts.ts'),
  ]);
  const { secretsKey, token: bootstrapToken } = home;
  const storageLocation = settings.storageLocation ?? join(home.folder, 'warehouse');
  const own = { databaseUrl, secretsKey, storageLocation, storageTimeouts, ...(clock && { clock }) };
  const opened = { log, traces, shutdown, poolSize: POOL_SIZE, prefork: 1 };
  const instance = await parts.openInstance(settings, { ...opened, ...own });
  const metrics = parts.createWorkMetrics(instance);
  const shared = { settings, log, ...instance, dispatcher: new parts.LocalDispatcher() };
  const { registry: furtherMetrics } = metrics;
  const api = await parts.startApi({ ...shared, version, bootstrapToken, furtherMetrics, checkAnswers });
  shutdown.add(api.stop);
  const apiUrl = settings.publicUrl ?? api.url;
  const worker = await parts.startWorkerProcess({ ...shared, apiUrl, metrics });
  shutdown.add(async () => {
    api.drain();
    await worker.stop();
  });
  return {
    url: apiUrl,
    sqlAddress: sqlAddress(settings, { port: api.sqlPort, requestHost: new URL(apiUrl).host }),
    home,
    notes: worker.notes,
    tick: worker.tick,
    stop: () => shutdown.run(),
  };
}

async function startDatabase(home: Home, log: Logger, shutdown: Shutdown): Promise<string> {
  const server = await startEmbedded({ dataDir: join(home.folder, 'postgres'), log });
  shutdown.add(() => server.stop());
  return server.url;
}
