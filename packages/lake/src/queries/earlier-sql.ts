import type { ColumnType } from '@svc/core/column-types';
import { integer, literal, type Sql, sql, typeName } from './sql-text.ts';

/** The units as SQL writes them. */
const UNITS = { minute: sql`MINUTE`, hour: sql`HOUR`, day: sql`DAY` } satisfies Record<string, Sql>;

/** A SELECT of a date or a timestamp that is this much earlier, as the text of a value of the type. */
export function earlierSql(
  text: string,
  type: ColumnType,
  { count, unit }: { readonly count: number; readonly unit: keyof typeof UNITS },
): string {
  const value = sql`CAST(${literal(text)} AS ${typeName(type)})`;
  const interval = sql`INTERVAL (${integer(count)}) ${UNITS[unit]}`;
  return sql`SELECT CAST(CAST(${value} - ${interval} AS ${typeName(type)}) AS VARCHAR) AS earlier`.text;
}
