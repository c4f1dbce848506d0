import pg from 'pg';
import { connectionFailure } from '../connection/unreachable.ts';
import { holdForBackup } from './lock.ts';

const ROWS_AT_ONCE = 2_000;

/** The database as it is at one moment. While it is open, nothing in storage is deleted by the sweep. */
export interface Snapshot {
  /** The newest migration in it. */
  readonly schema: string;
  /** Names of all its tables but the migrator's. */
  readonly tables: readonly string[];
  /** Rows of a table, each a line of JSON that `loadDatabase` takes. */
  rowsOf(table: string): AsyncGenerator<string>;
  /** Current metadata files of the tables that stand, and of the dropped ones that can be restored. */
  neededFiles(): Promise<string[]>;
  /** Sequences that have given a number, with the last one: none of the rows has a higher. */
  sequences(): Promise<Record<string, string>>;
  close(): Promise<void>;
}

/** Opens a snapshot: one read-only transaction, whatever is written meanwhile. @throws DatabaseUnreachableError */
export async function openSnapshot(url: string): Promise<Snapshot> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'svc-backup',
    connectionTimeoutMillis: 10_000,
  });
  client.on('error', () => {});
  await client.connect().catch((cause) => {
    throw connectionFailure(url, cause);
  });
  try {
    await client.query(`SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET TIME ZONE 'UTC'`);
    await holdForBackup(client);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return {
      schema: await newestMigration(client),
      tables: await tablesOf(client),
      rowsOf: (table) => rowsOf(client, table),
      neededFiles: () => neededFiles(client),
      sequences: () => sequences(client),
      close: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}

async function newestMigration(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT max(migration_name) AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  );
  return rows[0]?.name ?? '';
}

/** Tables of the schema that the migrations write to, but the migrator's own. */
export async function tablesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
       AND relname <> '_prisma_migrations'
     ORDER BY relname`,
  );
  return rows.map(({ name }) => name);
}

async function* rowsOf(client: pg.Client, table: string): AsyncGenerator<string> {
  await client.query(
    `DECLARE backup_rows NO SCROLL CURSOR FOR SELECT row_to_json(row)::text AS line FROM ${client.escapeIdentifier(table)} AS row`,
  );
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`FETCH ${ROWS_AT_ONCE} FROM backup_rows`);
    for (const { line } of rows) yield line;
    if (rows.length < ROWS_AT_ONCE) break;
  }
  await client.query('CLOSE backup_rows');
}

async function neededFiles(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ location: string }>(
    `SELECT metadata_location AS location FROM tables
     WHERE metadata_location IS NOT NULL AND kind = 'managed' AND purge_started_at IS NULL`,
  );
  return rows.map(({ location }) => location);
}

/** Read after the rows: sequences stand outside of transactions. */
async function sequences(client: pg.Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; last: string }>(
    `SELECT sequencename AS name, last_value::text AS last FROM pg_sequences
     WHERE schemaname = 'public' AND last_value IS NOT NULL ORDER BY 1`,
  );
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]));
}
