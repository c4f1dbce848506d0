import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { type Database, type DatabaseOptions, openDatabase, silent } from '../connection/index.ts';
import { administer, testServer } from './server.ts';

/** A database for a single test file, with the whole schema and no rows. */
export interface TestDatabase {
  readonly db: Database;
  readonly url: string;
  /**
   * Closes `db` and removes the database.
   * @throws if the test file left a connection open
   */
  drop(): Promise<void>;
}

const DRAIN_TRIES = 200;

/** Clones the template database. Call `drop` in `afterAll`. */
export async function createTestDatabase(options: Partial<Omit<DatabaseOptions, 'url'>> = {}): Promise<TestDatabase> {
  const caller = /[\w.-]+\.test\.ts/.exec(new Error().stack ?? '')?.[0] ?? 'a test';
  const { urlOf, template } = await testServer();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(urlOf('svc'), async (client) => {
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
    // The teardown reads this comment to name a test file that didn't drop its database.
    await client.query(`COMMENT ON DATABASE ${name} IS ${client.escapeLiteral(caller)}`);
  });
  const url = urlOf(name);
  const db = await openDatabase({ poolSize: 5, log: silent, ...options, url });
  const drop = async () => {
    await db.close();
    await administer(urlOf('svc'), (client) => dropDatabase(client, name, caller));
  };
  return { db, url, drop };
}

async function dropDatabase(client: pg.Client, name: string, caller: string): Promise<void> {
  const leaked = await connectionsLeft(client, name);
  await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  if (leaked.length > 0) {
    throw new Error(`${caller} left ${leaked.length} connection(s) open: ${leaked.join(', ')}. Close what it opened.`);
  }
}

// The server needs a moment to notice that a client has disconnected.
async function connectionsLeft(client: pg.Client, name: string): Promise<string[]> {
  for (let tries = 0; ; tries++) {
    const { rows } = await client.query<{ application_name: string }>(
      'SELECT application_name FROM pg_stat_activity WHERE datname = $1',
      [name],
    );
    if (rows.length === 0 || tries === DRAIN_TRIES) return rows.map((row) => row.application_name || 'unnamed');
    await client.query('SELECT pg_sleep(0.01)');
  }
}
