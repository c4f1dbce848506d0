import type { ColumnType } from '@svc/core/tables';
import type { CsvDialect } from '@svc/core/writes';
import { integer, literal, type Sql, sql, typeName } from '../queries/sql-text.ts';
import { type Conversion, conversion, INVALID_VALUE } from './conversion.ts';

const NUMBERS: ReadonlySet<ColumnType['kind']> = new Set(['int', 'long', 'float', 'double', 'decimal']);

/** How a text of a CSV dialect is converted, or null if the dialect writes the type as every other file does. */
export function dialectConversion(type: ColumnType, text: Sql, dialect: CsvDialect | null): Conversion | null {
  if (dialect === null) return null;
  const format = type.kind === 'date' ? dialect.date_format : isTimestamp(type) ? dialect.timestamp_format : null;
  if (format !== null) return formatted(type, text, format);
  if (dialect.decimal_separator === '.' || !NUMBERS.has(type.kind)) return null;
  // A point would be a separator of thousands. No number contains a semicolon.
  return conversion(type, sql`translate(${text}, '.,', ';.')`);
}

const isTimestamp = ({ kind }: ColumnType): boolean => kind === 'timestamp' || kind === 'timestamptz';

const DAY_MICROS = 86_400_000_000;
/** Texts that the engine accepts in any format. */
const SPECIAL = sql`'(?i)infinity|epoch'`;

function formatted(type: ColumnType, text: Sql, format: string): Conversion {
  const parsed = sql`try_strptime(${text}, ${literal(format)})`;
  const value = sql`CAST(CAST(${parsed} AS TIMESTAMP) AS ${typeName(type)})`;
  const hasTime = sql`coalesce(epoch_us(CAST(${parsed} AS TIMESTAMP)) % ${integer(DAY_MICROS)} <> 0, false)`;
  const cut = type.kind === 'date' ? sql` OR ${hasTime}` : sql``;
  const invalid = sql`(${text} IS NOT NULL AND (${parsed} IS NULL OR regexp_matches(${text}, ${SPECIAL})${cut}))`;
  return { value: sql`CASE WHEN ${invalid} THEN ${INVALID_VALUE} ELSE ${value} END`, invalid };
}
