import { type ColumnType, parseColumnType } from '@svc/core/column-types';
import { duckdbType } from '../../tables/values/duckdb-types.ts';
import { identifier } from '../sql-text.ts';
import type { ResultColumn } from './result-columns.ts';

const NESTED: ReadonlySet<ColumnType['kind']> = new Set(['list', 'map', 'struct']);

/** The type of a column whose cells can stand for what a file would hold; null for a nested one. */
function scalarType({ type }: ResultColumn): ColumnType | null {
  const parsed = parseColumnType(type);
  return parsed.ok && !NESTED.has(parsed.type.kind) ? parsed.type : null;
}

export const isTellable = (column: ResultColumn): boolean => scalarType(column) !== null;

/** A SELECT that gives the rows, which `$1` is the JSON text of, with the values and types that a file of them holds; all columns are tellable. */
export function rowsQuery(columns: readonly ResultColumn[]): string {
  const list = columns.map((column, i) => {
    const type = scalarType(column)!;
    const text = `r->>'$[${i}]'`;
    const value = type.kind === 'binary' ? `from_base64(${text})` : `CAST(${text} AS ${duckdbType(type)})`;
    return `${value} AS ${identifier(column.name)}`;
  });
  return `SELECT ${list.join(', ')} FROM (SELECT unnest(CAST($1::JSON AS JSON[])) AS r)`;
}
