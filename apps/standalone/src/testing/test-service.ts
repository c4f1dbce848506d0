import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '@svc/core/settings';
import { createTestDatabase, type TestDatabase } from '@svc/db/testing';
import { type AuditEvent, SvcClient } from '@svc/sdk';
import { type DestinationStream, pino } from 'pino';
import { type ServiceOptions, startService } from '../service.ts';
import { type Call, rest } from './rest.ts';

export const TOKEN = 'test-administrator-token';

/** The whole service with real parts, on its own database and folder. */
export interface TestService {
  url: string;
  folder: string;
  /** Of the endpoint for PostgreSQL clients; set if the service was started with an address for it. */
  sqlPort: number | null;
  database: TestDatabase;
  /** The administrator's client. */
  client: SvcClient;
  /** A REST request as the administrator, or as the owner of `token`. */
  call: Call;
  clientOf: (token: string) => SvcClient;
  /** Events of a type, oldest first. */
  events: (type: string) => Promise<AuditEvent[]>;
  /** Files of the store below one of its folders, as paths. */
  stored: (folder: string) => Promise<string[]>;
  stop: () => Promise<void>;
}

/**
 * Starts API and worker in this process on a clone of the template database; responses are checked against their schemas.
 *
 * @param logTo receives the lines of the log; by default stderr
 */
export async function startTestService(
  env: Record<string, string> = {},
  additions: ServiceOptions = {},
  logTo: DestinationStream = pino.destination({ dest: 2, sync: true }),
): Promise<TestService> {
  const database = await createTestDatabase({ poolSize: 2 });
  const folder = await mkdtemp(join(tmpdir(), 'svc-e2e-'));
  const { SVC_RUN__UV } = process.env;
  const settings = readSettings(
    {
      SVC_LISTEN: '127.0.0.1:0',
      SVC_SQL__LISTEN: '',
      SVC_HOME: join(folder, 'home'),
      SVC_DATABASE_URL: database.url,
      SVC_BOOTSTRAP_TOKEN: TOKEN,
      SVC_QUERY__THREADS: '1',
      SVC_REPOSITORIES__ALLOW_LOCAL: folder,
      SVC_STORAGE__EXTERNAL_LOCATIONS: join(folder, 'external'),
      // So that tests of everything else also run on machines that can't isolate tasks.
      SVC_RUN__ISOLATION: 'auto',
      SVC_LOG__LEVEL: 'error',
      ...(SVC_RUN__UV === undefined ? {} : { SVC_RUN__UV }),
      ...env,
    },
    () => '',
  );
  const log = pino({ level: settings.logLevel }, logTo);
  const service = await startService(settings, log, { checkAnswers: true, ...additions }).catch(
    async (error: unknown) => {
      await database.drop();
      throw error;
    },
  );
  return {
    ...clientSide(service.url, join(folder, 'home', 'warehouse')),
    folder,
    sqlPort: service.sqlAddress?.port ?? null,
    database,
    async stop() {
      await service.stop();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What a test uses of a service at `url` that keeps its files in `warehouse`. */
export function clientSide(url: string, warehouse: string) {
  const clientOf = (token: string) => new SvcClient({ url, token });
  const client = clientOf(TOKEN);
  return {
    url,
    client,
    clientOf,
    call: rest(url, TOKEN),
    async events(type: string) {
      const events: AuditEvent[] = [];
      for await (const event of client.audit.iter({ event_type: type })) events.unshift(event);
      return events;
    },
    async stored(folder: string) {
      const entries = await readdir(join(warehouse, folder), { recursive: true, withFileTypes: true }).catch(() => []);
      return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    },
  };
}
