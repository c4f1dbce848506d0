import { MigrationError } from './migration-error.ts';

/** A row of `_prisma_migrations`. */
export interface AppliedRow {
  readonly migration_name: string;
  readonly checksum: string;
  readonly finished_at: Date | null;
}

interface Replacement {
  readonly name: string;
  readonly checksum: string;
  readonly replaces: readonly string[];
}

/**
 * The migration that replaces applied ones: it was made by combining them and yields the same schema, so a database
 * with all of them must record it without running it. Null if no applied migration was replaced.
 * @throws MigrationError if the database has only some of the replaced migrations
 */
export function replacementIn<T extends Replacement>(
  migrations: readonly T[],
  applied: readonly AppliedRow[],
): T | null {
  const names = new Set(applied.filter((row) => row.finished_at !== null).map((row) => row.migration_name));
  for (const migration of migrations) {
    const missing = migration.replaces.filter((name) => !names.has(name));
    if (missing.length === migration.replaces.length) continue;
    if (missing.length === 0) return migration;
    throw new MigrationError(
      `The database has only some of the migrations that ${migration.name} replaces: ${missing[0]} is missing. Start the last version that has these migrations once, then this one.`,
    );
  }
  return null;
}

/** The applied migrations once the replacement is recorded. */
export function recordedAs(replacement: Replacement | null, applied: readonly AppliedRow[]): readonly AppliedRow[] {
  if (replacement === null) return applied;
  const { name, checksum, replaces } = replacement;
  const others = applied.filter((row) => !replaces.includes(row.migration_name));
  return [...others, { migration_name: name, checksum, finished_at: new Date(0) }];
}
