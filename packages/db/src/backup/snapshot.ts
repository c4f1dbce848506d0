import type pg from 'pg';
import { connect } from '../connection/connect.ts';
import { acquireBackupLock } from './lock.ts';

const ROWS_AT_ONCE = 2_000;

/** A consistent snapshot of the database. While it is open, the sweep deletes no files from storage. */
export interface Snapshot {
  /** The newest migration in the snapshot. */
  readonly schema: string;
  /** Names of all tables except Prisma's migration table. */
  readonly tables: readonly string[];
  /** Rows of a table, each as a line of JSON for `loadDatabase`. */
  rowsOf(table: string): AsyncGenerator<string>;
  /** Current metadata files of live tables, of dropped tables that can be restored, and of archives of the audit log. */
  neededFiles(): Promise<string[]>;
  /** Sequences in use, with their last value. No row has a higher one. */
  sequences(): Promise<Record<string, string>>;
  close(): Promise<void>;
}

/** Opens a snapshot in one read-only transaction, unaffected by concurrent writes. @throws DatabaseUnreachableError */
export async function openSnapshot(url: string): Promise<Snapshot> {
  const client = await connect(url, 'svc-backup');
  try {
    await client.query(`SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET TIME ZONE 'UTC'`);
    await acquireBackupLock(client);
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

/** Tables in the schema of the migrations, except Prisma's migration table. */
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
     WHERE metadata_location IS NOT NULL AND kind = 'managed' AND purge_started_at IS NULL
     UNION ALL SELECT metadata_location FROM audit_archives`,
  );
  return rows.map(({ location }) => location);
}

/** Call this after reading the rows: sequences aren't transactional. */
async function sequences(client: pg.Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; last: string }>(
    `SELECT sequencename AS name, last_value::text AS last FROM pg_sequences
     WHERE schemaname = 'public' AND last_value IS NOT NULL ORDER BY 1`,
  );
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]));
}
