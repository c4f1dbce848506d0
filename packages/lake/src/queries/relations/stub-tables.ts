import { identifier, joined, type Sql, sql } from '../sql-text.ts';
import type { RelationSql } from './managed-sql.ts';

/** The schema of the stub tables; no namespace can have this name. */
export const STUBS = '(catalog)';

/** An empty table in DuckDB that resolves names and types instead of the table's files. */
export function stubTable(id: string, fields: readonly (readonly [name: string, type: Sql])[]): RelationSql {
  const table = sql`lake.${identifier(STUBS)}.${identifier(id)}`;
  const types = fields.map(([name, type]) => sql`${identifier(name)} ${type}`);
  const columns = fields.map(([name]) => name);
  const setup = [
    sql`CREATE SCHEMA IF NOT EXISTS lake.${identifier(STUBS)}`,
    sql`CREATE OR REPLACE TABLE ${table} (${joined(types)})`,
  ];
  return { sql: sql`SELECT ${joined(columns.map(identifier))} FROM ${table}`, setup, paths: [], columns };
}
