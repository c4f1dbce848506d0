import type { DuckDBConnection } from '@duckdb/node-api';
import { identifier, joined, literal, sql } from '../sql-text.ts';
import { SESSION_NAMES } from '../statement/functions.ts';

/**
 * The engine reads these names as functions if there is no such column, and their values are those of the engine: in a condition
 * such as `owner = current_user`, nobody would notice. In the guard's tree they are columns.
 */
export async function refuseSessionNames(connection: DuckDBConnection): Promise<void> {
  const macros = [...SESSION_NAMES].map(
    (name) => sql`CREATE MACRO ${identifier(name)}() AS error(${literal(`svc:function:${name}:svc`)})`,
  );
  await connection.run(joined(macros, '; ').text);
}
