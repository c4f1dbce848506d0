import type pg from 'pg';
import { connect } from '../connection/connect.ts';
import { migrate, planMigrations } from '../migrate/migrate.ts';
import { tablesOf } from './snapshot.ts';

const ROWS_AT_ONCE = 1_000;

/** The database can't take this backup. The message says what to do. */
export class RestoreError extends Error {
  override readonly name = 'RestoreError';
}

export interface Dump {
  /** The newest migration of the database at the time of the backup. */
  readonly schema: string;
  /** Tables with their row counts. */
  readonly tables: Readonly<Record<string, number>>;
  /** Sequences with the last value that each returned. */
  readonly sequences: Readonly<Record<string, string>>;
  /** Lines of JSON, as a snapshot returns them. */
  rowsOf(table: string): AsyncIterable<string>;
}

/**
 * Restores a backup into an empty database: first the schema of the backup's version, then all rows in one transaction,
 * so that a crash leaves no rows behind. The next start applies later migrations.
 * @throws RestoreError if the database isn't empty or rows are missing; MigrationError if the backup is from a newer
 * version
 */
export async function loadDatabase(url: string, dump: Dump): Promise<void> {
  const client = await connect(url, 'svc-restore');
  try {
    await requireEmpty(client, url);
    await migrate(url, { until: dump.schema });
    await client.query(`SET statement_timeout = 0; SET lock_timeout = 0; SET TIME ZONE 'UTC'`);
    await client.query('BEGIN');
    await load(client, dump);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}

/** Accepts a database without tables, or with svc's tables but no principal, which an interrupted restore leaves. */
async function requireEmpty(client: pg.Client, url: string): Promise<void> {
  const tables = await tablesOf(client);
  if (tables.length === 0) return;
  const ours = tables.includes('principals') && (await planMigrations(url).then(Boolean, () => false));
  const { rows } = ours ? await client.query('SELECT 1 FROM principals LIMIT 1') : { rows: [{}] };
  if (rows.length === 0) return;
  throw new RestoreError(
    'The database is not empty. Restore into an empty one: set SVC_DATABASE_URL or SVC_HOME to another one.',
  );
}

async function load(client: pg.Client, dump: Dump): Promise<void> {
  const tables = await tablesOf(client);
  const unknown = Object.keys(dump.tables).filter((table) => !tables.includes(table));
  if (unknown.length > 0) throw new RestoreError(`The backup has tables that its schema lacks: ${unknown.join(', ')}.`);
  const tableNames = tables.map((table) => client.escapeIdentifier(table));
  // Rows load in any order. Recreating the foreign keys afterwards also validates them.
  const references = await foreignKeys(client);
  for (const { table, name } of references) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  // Remove rows that migrations inserted; the backup contains them too.
  await client.query(`TRUNCATE ${tableNames.join(', ')}`);
  for (const [table, expected] of Object.entries(dump.tables)) {
    const target = client.escapeIdentifier(table);
    await client.query(`ALTER TABLE ${target} DISABLE TRIGGER USER`);
    const loaded = await loadRows(client, target, dump.rowsOf(table));
    if (loaded !== expected)
      throw new RestoreError(`The backup has ${loaded} rows of ${table} and should have ${expected}: it is damaged.`);
    await client.query(`ALTER TABLE ${target} ENABLE TRIGGER USER`);
  }
  for (const [name, last] of Object.entries(dump.sequences))
    await client.query('SELECT setval($1::regclass, $2::bigint)', [client.escapeIdentifier(name), last]);
  for (const { table, name, definition } of references)
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
}

async function loadRows(client: pg.Client, table: string, lines: AsyncIterable<string>): Promise<number> {
  let loaded = 0;
  let batch: string[] = [];
  const insert = async () => {
    await client.query(
      `INSERT INTO ${table} SELECT row.* FROM unnest($1::text[]) AS line, json_populate_record(NULL::${table}, line::json) AS row`,
      [batch],
    );
    loaded += batch.length;
    batch = [];
  };
  for await (const line of lines) {
    batch.push(line);
    if (batch.length === ROWS_AT_ONCE) await insert();
  }
  if (batch.length > 0) await insert();
  return loaded;
}

async function foreignKeys(client: pg.Client): Promise<{ table: string; name: string; definition: string }[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conparentid = 0
     ORDER BY conrelid::regclass::text, conname`,
  );
  return rows;
}
