import { identifier, integer, joined, literal, numbered, type Sql, sql } from '../sql-text.ts';
import { jsonLiteral } from './json-literal.ts';
import type { RelationSql } from './managed-sql.ts';
import type { InlineRows, InlineType } from './relations.ts';
import { STUBS } from './stub-tables.ts';

/** Columns with at least so many rows for each of their values are written as positions in a list of these values. */
const ROWS_PER_VALUE = 4;

/** The rows as a table of the engine, which is created before the statement runs. */
export function inlineRowsSql(id: string, { count, columns }: InlineRows): RelationSql {
  const table = sql`lake.${identifier(STUBS)}.${identifier(id)}`;
  const lists = new Lists(count);
  const selected = columns.map(
    ({ name, type, values }) => sql`${valueSql(lists, type, values)} AS ${identifier(name)}`,
  );
  const setup = [
    sql`CREATE SCHEMA IF NOT EXISTS lake.${identifier(STUBS)}`,
    sql`CREATE OR REPLACE TABLE ${table} AS SELECT ${joined(selected)} FROM (SELECT ${lists.sql()})`,
  ];
  const names = columns.map(({ name }) => name);
  return { sql: sql`SELECT ${joined(names.map(identifier))} FROM ${table}`, setup, paths: [], columns: names };
}

/** The lists whose elements are the rows, each once. The engine takes milliseconds for every 100 kB of them. */
class Lists {
  private readonly names = new Map<string, Sql>();
  private readonly lists: Sql[] = [];
  private readonly count: number;

  constructor(count: number) {
    this.count = count;
  }

  add(values: readonly unknown[], type: InlineType): Sql {
    const list = jsonLiteral(values);
    const key = `${type} ${list.text}`;
    const known = this.names.get(key);
    if (known !== undefined) return known;
    const name = numbered('v', this.lists.length);
    this.names.set(key, name);
    this.lists.push(sql`unnest(from_json(${list}, ${literal(shape(type))})) AS ${name}`);
    return name;
  }

  /** With constants only, there is no list that has the length of the rows. */
  sql(): Sql {
    return joined([...this.lists, sql`unnest(range(${integer(this.count)})) AS n`]);
  }
}

const TYPES: Readonly<Record<InlineType, Sql>> = {
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

function valueSql(lists: Lists, type: InlineType, values: InlineRows['columns'][number]['values']): Sql {
  if ('each' in values) return values.each === null ? sql`CAST(NULL AS ${TYPES[type]})` : element(type, [values.each]);
  const { distinct, positions } = dictionary(values);
  if (distinct.length === 1) return distinct[0] === null ? sql`CAST(NULL AS ${TYPES[type]})` : element(type, distinct);
  if (distinct.length * ROWS_PER_VALUE > values.length) return lists.add(values, type);
  const position = lists.add(positions, 'INTEGER');
  return sql`from_json(${jsonLiteral(distinct)}, ${literal(shape(type))})[${position}]`;
}

/** The values of a column, and for each row the position of its value from 1. */
function dictionary(values: readonly unknown[]): { distinct: unknown[]; positions: number[] } {
  const known = new Map<unknown, number>();
  const positions = values.map((value) => {
    const key = Array.isArray(value) ? JSON.stringify(value) : value;
    const position = known.get(key) ?? known.size + 1;
    known.set(key, position);
    return position;
  });
  const distinct: unknown[] = [];
  for (const [i, position] of positions.entries()) if (position > distinct.length) distinct.push(values[i]);
  return { distinct, positions };
}

/** One element, so that constants have their JSON form too. */
const element = (type: InlineType, list: readonly unknown[]): Sql =>
  sql`from_json(${jsonLiteral(list)}, ${literal(shape(type))})[1]`;

/** The type of a JSON list of such values. */
const shape = (type: InlineType): string => JSON.stringify(type.endsWith('[]') ? [[type.slice(0, -2)]] : [type]);
