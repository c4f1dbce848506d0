// Stops the run's PostgreSQL and fails the run if a test file didn't drop its database.
import { createRequire } from 'node:module';
import { findServer, removeServer } from './server-folder.mjs';

export default async function globalTeardown() {
  const home = process.env.TEST_POSTGRES_HOME;
  if (!home) return;
  const server = findServer(home);
  const forgetful = server ? await filesThatDidNotDrop(server.url) : [];
  await removeServer(home);
  if (forgetful.length > 0) throw new Error(`These test files did not drop their database: ${forgetful.join(', ')}.`);
}

async function filesThatDidNotDrop(url) {
  const pg = createRequire(new URL('../../packages/db/package.json', import.meta.url))('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(
      `SELECT coalesce(shobj_description(oid, 'pg_database'), datname) AS file FROM pg_database WHERE datname LIKE 'test\\_%'`,
    );
    return rows.map((row) => row.file);
  } finally {
    await client.end();
  }
}
