import * as duckdb from '../sql-text.ts';

/** A quoted name, which Trino writes as DuckDB does. */
export const identifier = (name: string): string => duckdb.identifier(name).text;
