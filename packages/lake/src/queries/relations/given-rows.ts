import { identifier, integer, joined, literal, type Sql, sql } from '../sql-text.ts';
import type { RelationSql } from './managed-sql.ts';
import type { GivenRows, GivenType } from './relations.ts';
import { STUBS } from './stub-tables.ts';

/** The rows as a table of the engine, which is created before the statement runs. */
export function givenRowsSql(id: string, { count, columns }: GivenRows): RelationSql {
  const table = sql`lake.${identifier(STUBS)}.${identifier(id)}`;
  const list = columns.map(({ name, type, values }) => sql`${valueSql(type, values)} AS ${identifier(name)}`);
  // With only constants there is no list whose length is that of the rows.
  const counted = sql`unnest(range(${integer(count)})) AS ${identifier('(row)')}`;
  const setup = [
    sql`CREATE SCHEMA IF NOT EXISTS lake.${identifier(STUBS)}`,
    sql`CREATE OR REPLACE TABLE ${table} AS SELECT * EXCLUDE (${identifier('(row)')}) FROM (SELECT ${joined([...list, counted])})`,
  ];
  const names = columns.map(({ name }) => name);
  return { sql: sql`SELECT ${joined(names.map(identifier))} FROM ${table}`, setup, paths: [], columns: names };
}

const TYPES: Readonly<Record<GivenType, Sql>> = {
  BOOLEAN: sql`BOOLEAN`,
  SMALLINT: sql`SMALLINT`,
  INTEGER: sql`INTEGER`,
  BIGINT: sql`BIGINT`,
  FLOAT: sql`FLOAT`,
  VARCHAR: sql`VARCHAR`,
  'TIMESTAMP WITH TIME ZONE': sql`TIMESTAMP WITH TIME ZONE`,
  'SMALLINT[]': sql`SMALLINT[]`,
  'BIGINT[]': sql`BIGINT[]`,
  'VARCHAR[]': sql`VARCHAR[]`,
};

function valueSql(type: GivenType, values: GivenRows['columns'][number]['values']): Sql {
  if (Array.isArray(values)) return sql`unnest(from_json(${json(values)}, ${literal(shape(type))}))`;
  const { each } = values as { each: unknown };
  if (each === null) return sql`CAST(NULL AS ${TYPES[type]})`;
  // One element, so that constants have their JSON form too.
  return sql`from_json(${json([each])}, ${literal(shape(type))})[1]`;
}

/** Texts can't contain NUL in PostgreSQL either. */
const json = (values: readonly unknown[]): Sql => literal(JSON.stringify(values).replaceAll('\\u0000', ''));

/** The type of a JSON list of such values. */
const shape = (type: GivenType): string => JSON.stringify(type.endsWith('[]') ? [[type.slice(0, -2)]] : [type]);
