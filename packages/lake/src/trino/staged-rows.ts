import {
  integer,
  joined,
  joinedTrino,
  numbered,
  identifier as quoted,
  type Sql,
  sql,
  type TrinoSql,
  literal as text,
  trino,
} from '../queries/sql-text.ts';
import type { PlanType } from './plan-types.ts';
import { identifier } from './trino-text.ts';
import { untranslated } from './untranslated.ts';

/*
 * Transfers rows from Trino to DuckDB. Trino formats values as text that JSON numbers can't represent. The rows are staged
 * as lines of JSON in which every value is a string, and DuckDB converts these to the column's type.
 */

/** Converts a Trino expression to its transfer form. */
export function wireSql(type: PlanType, value: TrinoSql): TrinoSql {
  switch (type.id) {
    case 'BIGINT':
    case 'HUGEINT':
    case 'DECIMAL':
    case 'TIME':
    case 'TIMESTAMP':
    case 'UUID':
      return trino`CAST(${value} AS varchar)`;
    case 'DATE':
      return trino`date_diff('day', DATE '1970-01-01', ${value})`;
    case 'TIMESTAMP WITH TIME ZONE':
      return trino`CAST(CAST(${value} AT TIME ZONE 'UTC' AS timestamp(6)) AS varchar)`;
    case 'BLOB':
      return trino`to_hex(${value})`;
    case 'LIST':
      return trino`transform(${value}, e -> ${wireSql(type.element, trino`e`)})`;
    case 'MAP':
      return trino`transform(map_entries(${value}), e -> ROW(${wireSql(type.key, trino`e[1]`)}, ${wireSql(type.value, trino`e[2]`)}))`;
    case 'STRUCT': {
      const fields = type.fields.map((f) => wireSql(f.type, trino`(${value}).${identifier(f.name)}`));
      return trino`CASE WHEN ${value} IS NOT NULL THEN ROW(${joinedTrino(fields)}) END`;
    }
    default:
      return value;
  }
}

type Staged = string | null | readonly Staged[] | { readonly [field: string]: Staged };

/** Converts a value of Trino's JSON to its staged form. */
export function staged(type: PlanType, value: unknown): Staged {
  if (value === null || value === undefined) return null;
  if (type.id === 'LIST') return (value as unknown[]).map((one) => staged(type.element, one));
  if (type.id === 'MAP') {
    return (value as unknown[][]).map(([key, of]) => ({ f0: staged(type.key, key), f1: staged(type.value, of) }));
  }
  if (type.id === 'STRUCT') {
    return Object.fromEntries(type.fields.map((f, i) => [`f${i}`, staged(f.type, (value as unknown[])[i])]));
  }
  return Object.is(value, -0) ? '-0.0' : String(value);
}

/** The row as a line of JSON. */
export function stagedLine(types: readonly PlanType[], row: readonly unknown[]): string {
  return `${JSON.stringify(Object.fromEntries(types.map((type, i) => [`c${i}`, staged(type, row[i])])))}\n`;
}

/** The type with which DuckDB reads a staged value. */
function stagedType(type: PlanType): Sql {
  if (type.id === 'LIST') return sql`${stagedType(type.element)}[]`;
  if (type.id === 'MAP') return sql`STRUCT(f0 ${stagedType(type.key)}, f1 ${stagedType(type.value)})[]`;
  if (type.id !== 'STRUCT') return sql`VARCHAR`;
  const fields = type.fields.map((f, i) => sql`${numbered('f', i)} ${stagedType(f.type)}`);
  return sql`STRUCT(${joined(fields)})`;
}

/** Converts a staged value. `depth` makes the parameter names of nested lambdas unique. */
function valueSql(type: PlanType, staged: Sql, depth = 0): Sql {
  const item = numbered('e', depth);
  switch (type.id) {
    case 'BLOB':
      return sql`unhex(${staged})`;
    case 'DATE':
      return sql`(DATE '1970-01-01' + CAST(${staged} AS INTEGER))`;
    case 'TIMESTAMP WITH TIME ZONE':
      return sql`CAST(CAST(${staged} AS TIMESTAMP) AS TIMESTAMP WITH TIME ZONE)`;
    case 'LIST':
      return sql`list_transform(${staged}, lambda ${item}: ${valueSql(type.element, item, depth + 1)})`;
    case 'MAP': {
      const key = valueSql(type.key, sql`${item}.f0`, depth + 1);
      const of = valueSql(type.value, sql`${item}.f1`, depth + 1);
      const entries = sql`list_transform(${staged}, lambda ${item}: {'key': ${key}, 'value': ${of}})`;
      return sql`CASE WHEN ${staged} IS NOT NULL THEN map_from_entries(${entries}) END`;
    }
    case 'STRUCT': {
      const fields = type.fields.map(
        (f, i) => sql`${text(f.name)}: ${valueSql(f.type, sql`${staged}.${numbered('f', i)}`, depth)}`,
      );
      return sql`CASE WHEN ${staged} IS NOT NULL THEN {${joined(fields)}} END`;
    }
    case 'DECIMAL':
      return sql`CAST(${staged} AS DECIMAL(${integer(type.width)},${integer(type.scale)}))`;
    case 'NULL':
    case 'INTERVAL':
      throw untranslated(`A column of the type ${type.id}`);
    default:
      return sql`CAST(${staged} AS ${PLAIN[type.id]})`;
  }
}

const PLAIN = {
  BOOLEAN: sql`BOOLEAN`,
  TINYINT: sql`TINYINT`,
  SMALLINT: sql`SMALLINT`,
  INTEGER: sql`INTEGER`,
  BIGINT: sql`BIGINT`,
  HUGEINT: sql`HUGEINT`,
  FLOAT: sql`FLOAT`,
  DOUBLE: sql`DOUBLE`,
  TIME: sql`TIME`,
  TIMESTAMP: sql`TIMESTAMP`,
  VARCHAR: sql`VARCHAR`,
  UUID: sql`UUID`,
} as const;

const MIN_OBJECT_BYTES = 16 * 1024 * 1024;

/** A SELECT in DuckDB's SQL that reads the staged rows. `longest` is the length of the longest line in bytes. */
export function stagedQuery(file: string, types: readonly PlanType[], names: readonly string[], longest: number): Sql {
  const list = types.map((type, i) => sql`${valueSql(type, sql`t.${numbered('c', i)}`)} AS ${quoted(names[i]!)}`);
  const columns = types.map((type, i) => sql`${numbered('c', i)}: ${text(stagedType(type).text)}`);
  const size = integer(Math.max(MIN_OBJECT_BYTES, longest + 1024));
  const rows = sql`read_json(${text(file)}, format = 'newline_delimited', columns = {${joined(columns)}}, maximum_object_size = ${size})`;
  return sql`SELECT ${joined(list)} FROM ${rows} t`;
}
