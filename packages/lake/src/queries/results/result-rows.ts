import { type ColumnType, parseColumnType } from '@svc/core/column-types';
import { identifier, integer, joined, type Sql, sql, typeName } from '../sql-text.ts';
import type { ResultColumn } from './result-columns.ts';

const NESTED: ReadonlySet<ColumnType['kind']> = new Set(['list', 'map', 'struct']);

/** The type of a column whose inline cells are equivalent to a file, or null for a nested type. */
function scalarType({ type }: ResultColumn): ColumnType | null {
  const parsed = parseColumnType(type);
  return parsed.ok && !NESTED.has(parsed.type.kind) ? parsed.type : null;
}

export const isComparable = (column: ResultColumn): boolean => scalarType(column) !== null;

/**
 * A SELECT that returns the rows whose JSON text is `$1`, with the values and types that a file of them contains. All
 * columns must have an exact JSON form.
 */
export function rowsQuery(columns: readonly ResultColumn[]): Sql {
  const list = columns.map((column, i) => {
    const type = scalarType(column)!;
    const text = sql`r->>'$[${integer(i)}]'`;
    const value = type.kind === 'binary' ? sql`from_base64(${text})` : sql`CAST(${text} AS ${typeName(type)})`;
    return sql`${value} AS ${identifier(column.name)}`;
  });
  return sql`SELECT ${joined(list)} FROM (SELECT unnest(CAST($1::JSON AS JSON[])) AS r)`;
}
