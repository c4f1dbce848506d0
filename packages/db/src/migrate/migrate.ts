import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { connect } from '../connection/connect.ts';
import type { Log } from '../connection/log.ts';
import { migrationNames, migrationsFolder } from './folder.ts';
import { MigrationError } from './migration-error.ts';
import { type AppliedRow, recordedAs, replacementIn } from './replaced.ts';

/** The advisory lock of `prisma migrate`, so that the two never run concurrently. */
const LOCK = 72707369;

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
  /** Names of the migrations that this one was made from (see `replacementIn`). */
  readonly replaces: readonly string[];
}

interface MigrateOptions {
  /** Of the migrations (default: this version's). */
  readonly folder?: string;
  readonly log?: Log;
  /** Name of the last migration to apply (default: the newest). */
  readonly until?: string;
}

/**
 * Migrates the database to this version's schema and returns the names of the applied migrations, oldest first. Each
 * migration is one transaction together with its row in `_prisma_migrations`, so after a crash it is either applied or
 * not. Of several programs that start concurrently, one migrates and the others wait.
 * @throws MigrationError if an applied migration was edited, one failed earlier, or the database is newer
 */
export async function migrate(
  url: string,
  { folder = migrationsFolder(), log, until }: MigrateOptions = {},
): Promise<string[]> {
  const migrations = upTo(await readMigrations(folder), until);
  return connected(url, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    await client.query(TABLE);
    const applied = await appliedRows(client);
    const replacement = replacementIn(migrations, applied);
    if (replacement !== null) await replaceRows(client, replacement);
    const pending = pendingMigrations(migrations, recordedAs(replacement, applied));
    for (const migration of pending) {
      await apply(client, migration);
      log?.info({ migration: migration.name }, 'applied a migration');
    }
    return pending.map(({ name }) => name);
  });
}

/**
 * Lists the migrations that `migrate` would apply, oldest first, with their SQL. Changes nothing. @throws
 * MigrationError
 */
export async function planMigrations(
  url: string,
  folder: string = migrationsFolder(),
): Promise<{ name: string; sql: string }[]> {
  const migrations = await readMigrations(folder);
  return connected(url, async (client) => {
    const { rows } = await client.query<{ exists: boolean }>(
      `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists`,
    );
    const applied = rows[0]?.exists ? await appliedRows(client) : [];
    const recorded = recordedAs(replacementIn(migrations, applied), applied);
    return pendingMigrations(migrations, recorded).map(({ name, sql }) => ({ name, sql }));
  });
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connect(url, 'svc-migrate');
  try {
    await client.query('SET statement_timeout = 0; SET lock_timeout = 0');
    return await work(client);
  } finally {
    await client.end();
  }
}

function upTo(migrations: readonly Migration[], until: string | undefined): readonly Migration[] {
  if (until === undefined) return migrations;
  // A backup from before the migrations were replaced by one.
  const replacement = migrations.find(({ replaces }) => replaces.at(-1) === until);
  if (replacement !== undefined) return migrations.filter(({ name }) => name <= replacement.name);
  if (!migrations.some(({ name }) => name === until)) {
    throw new MigrationError(
      `The migration ${until} is unknown to this version of svc: a newer version created it. Use that version or a later one.`,
    );
  }
  return migrations.filter(({ name }) => name <= until);
}

/** Name of the newest migration in the folder, which is the schema version that this program needs. */
export async function schemaVersion(): Promise<string | null> {
  return (await migrationNames(migrationsFolder())).at(-1) ?? null;
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = await migrationNames(folder);
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name, 'migration.sql'), 'utf8');
      const replaces = [...sql.matchAll(/^-- Replaces: (\w+)$/gm)].map((match) => match[1]!);
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex'), replaces };
    }),
  );
}

async function appliedRows(client: pg.Client): Promise<AppliedRow[]> {
  const { rows } = await client.query<AppliedRow>(
    'SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY migration_name',
  );
  return rows;
}

function pendingMigrations(migrations: readonly Migration[], applied: readonly AppliedRow[]): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const row of applied) {
    const name = row.migration_name;
    const migration = known.get(name);
    if (!migration) {
      throw new MigrationError(
        `The database has the migration ${name}, which this version of svc does not know: a newer version applied it. Start that version or a later one, or restore a backup from before the migration.`,
      );
    }
    if (!row.finished_at) {
      throw new MigrationError(
        `The migration ${name} was started by another tool and has not finished. Complete or undo it with "prisma migrate resolve", or restore a backup.`,
      );
    }
    if (migration.checksum !== row.checksum) {
      throw new MigrationError(
        `The migration ${name} was edited after it was applied to this database. Restore the file as it was, and put the change into a new migration.`,
      );
    }
  }
  const appliedNames = new Set(applied.map((row) => row.migration_name));
  return migrations.filter(({ name }) => !appliedNames.has(name));
}

/** Records a migration instead of those that it replaces. The schema is the same. */
async function replaceRows(client: pg.Client, { name, checksum, replaces }: Migration): Promise<void> {
  await client.query('BEGIN');
  await client.query('DELETE FROM _prisma_migrations WHERE migration_name = ANY ($1)', [replaces]);
  await record(client, name, checksum);
  await client.query('COMMIT');
}

async function record(client: pg.Client, name: string, checksum: string): Promise<void> {
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
    [randomUUID(), checksum, name],
  );
}

async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query('BEGIN');
    await client.query(sql);
    await record(client, name, checksum);
    await client.query('COMMIT');
  } catch (cause) {
    await client.query('ROLLBACK').catch(() => {});
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new MigrationError(
      `The migration ${name} could not be applied and was undone: ${reason}. The database is as it was before it.`,
      { cause },
    );
  }
}

// Prisma's own table with exactly its columns, so that `prisma migrate status` and `deploy` agree with this code.
const TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;
