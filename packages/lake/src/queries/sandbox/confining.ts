import { joined, literals, type Sql, sql } from '../sql-text.ts';

/** Statements that restrict an engine to reading these files and writing below these folders, and lock its settings. */
export function confining(files: readonly string[], folders: readonly string[]): Sql {
  const settings = [
    sql`SET allowed_paths = ${literals(files)}`,
    sql`SET allowed_directories = ${literals(folders)}`,
    sql`SET enable_external_access = false`,
    sql`SET lock_configuration = true`,
  ];
  return joined(settings, '; ');
}
