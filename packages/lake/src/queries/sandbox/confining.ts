import { joined, literals, type Sql, sql } from '../sql-text.ts';

/** Statements after which an engine reads these files, writes below these folders, and no setting of it changes any more. */
export function confining(files: readonly string[], folders: readonly string[]): Sql {
  const settings = [
    sql`SET allowed_paths = ${literals(files)}`,
    sql`SET allowed_directories = ${literals(folders)}`,
    sql`SET enable_external_access = false`,
    sql`SET lock_configuration = true`,
  ];
  return joined(settings, '; ');
}
