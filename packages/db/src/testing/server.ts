import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { silent } from '../connection/log.ts';
import { startEmbedded } from '../embedded/index.ts';
import { migrate, migrationNames, migrationsFolder } from '../migrate/index.ts';

/** Folder of the test run's server. scripts/testing/global-setup.mjs chooses and removes it. */
export const HOME_VARIABLE = 'TEST_POSTGRES_HOME';

const TEMPLATE_LOCK = 7001;

/** The test run's server and its template database. */
export interface TestServer {
  /** Connection URL of a database on the server. */
  urlOf(database: string): string;
  /** Name of the database with all migrations applied. Nothing may connect to it. */
  readonly template: string;
}

let server: Promise<TestServer> | null = null;

/** Starts the test run's server, or finds it running. The first test file that needs a database waits for the start. */
export function testServer(): Promise<TestServer> {
  server ??= prepare();
  return server;
}

async function prepare(): Promise<TestServer> {
  const home = process.env[HOME_VARIABLE];
  if (!home) throw new Error(`${HOME_VARIABLE} is not set: run the tests with the workspace's jest.config.mjs.`);
  const embedded = await startEmbedded({ dataDir: home, log: silent, durable: false });
  const urlOf = (database: string) => {
    const url = new URL(embedded.url);
    url.pathname = `/${database}`;
    return url.href;
  };
  try {
    return { urlOf, template: await prepareTemplate(urlOf) };
  } finally {
    // The server stays up for the other test files; the teardown stops it.
    await embedded.release();
  }
}

async function prepareTemplate(urlOf: (database: string) => string): Promise<string> {
  const folder = migrationsFolder();
  const name = `template_${await fingerprint(folder)}`;
  await administer(urlOf('svc'), async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount) return;
    await client.query('DROP DATABASE IF EXISTS template_unfinished WITH (FORCE)');
    await client.query('CREATE DATABASE template_unfinished');
    await migrate(urlOf('template_unfinished'), { folder });
    await client.query(`ALTER DATABASE template_unfinished RENAME TO ${name}`);
  });
  return name;
}

// Named by content, so that an edited migration creates a new template in watch mode.
async function fingerprint(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const name of await migrationNames(folder)) {
    hash.update(name).update(await readFile(join(folder, name, 'migration.sql')));
  }
  return hash.digest('hex').slice(0, 12);
}

/** Runs `work` on a separate connection. */
export async function administer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'svc-testing' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
