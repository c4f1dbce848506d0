import { identifier, literal } from '../sql-text.ts';
import type { PlanType } from './plan-types.ts';
import { untranslated } from './untranslated.ts';

/*
 * Rows on their way from Trino to DuckDB. Trino writes out whatever JSON numbers would not hold as text; what comes is kept
 * as lines of JSON in which every value is a text, and DuckDB makes values of the column's type of them.
 */

/** An expression of Trino in the form that rows travel in. */
export function wireSql(type: PlanType, sql: string): string {
  switch (type.id) {
    case 'BIGINT':
    case 'HUGEINT':
    case 'DECIMAL':
    case 'TIME':
    case 'TIMESTAMP':
    case 'UUID':
      return `CAST(${sql} AS varchar)`;
    case 'DATE':
      return `date_diff('day', DATE '1970-01-01', ${sql})`;
    case 'TIMESTAMP WITH TIME ZONE':
      return `CAST(CAST(${sql} AT TIME ZONE 'UTC' AS timestamp(6)) AS varchar)`;
    case 'BLOB':
      return `to_hex(${sql})`;
    case 'LIST':
      return `transform(${sql}, e -> ${wireSql(type.element, 'e')})`;
    case 'MAP':
      return `transform(map_entries(${sql}), e -> ROW(${wireSql(type.key, 'e[1]')}, ${wireSql(type.value, 'e[2]')}))`;
    case 'STRUCT': {
      const fields = type.fields.map((f) => wireSql(f.type, `(${sql}).${identifier(f.name)}`));
      return `CASE WHEN ${sql} IS NOT NULL THEN ROW(${fields.join(', ')}) END`;
    }
    default:
      return sql;
  }
}

type Staged = string | null | readonly Staged[] | { readonly [field: string]: Staged };

/** A value as Trino's JSON gives it, as it is kept. */
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

/** The type that a kept value is read as. */
function keptType(type: PlanType): string {
  if (type.id === 'LIST') return `${keptType(type.element)}[]`;
  if (type.id === 'MAP') return `STRUCT(f0 ${keptType(type.key)}, f1 ${keptType(type.value)})[]`;
  if (type.id === 'STRUCT') return `STRUCT(${type.fields.map((f, i) => `f${i} ${keptType(f.type)}`).join(', ')})`;
  return 'VARCHAR';
}

/** The value of a kept one. `depth` tells the names of nested lambdas apart. */
function valueSql(type: PlanType, sql: string, depth = 0): string {
  const item = `e${depth}`;
  switch (type.id) {
    case 'BLOB':
      return `unhex(${sql})`;
    case 'DATE':
      return `(DATE '1970-01-01' + CAST(${sql} AS INTEGER))`;
    case 'TIMESTAMP WITH TIME ZONE':
      return `CAST(CAST(${sql} AS TIMESTAMP) AS TIMESTAMP WITH TIME ZONE)`;
    case 'LIST':
      return `list_transform(${sql}, lambda ${item}: ${valueSql(type.element, item, depth + 1)})`;
    case 'MAP': {
      const [key, of] = [valueSql(type.key, `${item}.f0`, depth + 1), valueSql(type.value, `${item}.f1`, depth + 1)];
      const entries = `list_transform(${sql}, lambda ${item}: {'key': ${key}, 'value': ${of}})`;
      return `CASE WHEN ${sql} IS NOT NULL THEN map_from_entries(${entries}) END`;
    }
    case 'STRUCT': {
      const fields = type.fields.map((f, i) => `${literal(f.name)}: ${valueSql(f.type, `${sql}.f${i}`, depth)}`);
      return `CASE WHEN ${sql} IS NOT NULL THEN {${fields.join(', ')}} END`;
    }
    default:
      return `CAST(${sql} AS ${duckdbName(type)})`;
  }
}

function duckdbName(type: PlanType): string {
  if (type.id === 'DECIMAL') return `DECIMAL(${type.width},${type.scale})`;
  if (type.id === 'NULL' || type.id === 'INTERVAL') throw untranslated(`A column of the type ${type.id}`);
  return type.id;
}

const LEAST_OBJECT = 16 * 1024 * 1024;

/** A SELECT in DuckDB's SQL of the kept rows. `longest` is the length of the longest line in bytes. */
export function stagedQuery(
  file: string,
  types: readonly PlanType[],
  names: readonly string[],
  longest: number,
): string {
  const list = types.map((type, i) => `${valueSql(type, `t.c${i}`)} AS ${identifier(names[i]!)}`);
  const columns = types.map((type, i) => `c${i}: ${literal(keptType(type))}`).join(', ');
  const size = Math.max(LEAST_OBJECT, longest + 1024);
  const rows = `read_json(${literal(file)}, format = 'newline_delimited', columns = {${columns}}, maximum_object_size = ${size})`;
  return `SELECT ${list.join(', ')} FROM ${rows} t`;
}
