import type { ColumnType } from '@svc/core/tables';
import type { CsvDialect } from '@svc/core/writes';
import { columnTypeOf, type IcebergField } from '@svc/iceberg';
import { notNull } from '../queries/output/output-sql.ts';
import { writeDefaultSql } from '../queries/relations/field-sql.ts';
import { identifier, integer, joined, type Sql, sql, typeName } from '../queries/sql-text.ts';
import { conversion, INVALID_VALUE } from './conversion.ts';
import { dialectConversion } from './dialect-conversion.ts';
import { fitsDouble, sameAsDouble } from './exact-values.ts';

/**
 * How a column's text is converted to its value: the expression that fails on an invalid text, and the test that finds
 * it.
 */
export type TextColumn = {
  readonly field: IcebergField;
  /** The text's column in the source, or null if the file doesn't have it. */
  readonly source: Sql | null;
  readonly value: Sql;
  /** True for a text that is invalid for the type; never for null. */
  readonly wrong: Sql;
};

/** @param dialect of CSV, in which texts may have another form */
export function textColumn(field: IcebergField, source: Sql | null, dialect: CsvDialect | null = null): TextColumn {
  if (source === null) return { field, source, value: writeDefaultSql(field), wrong: sql`false` };
  const type = columnTypeOf(field.type);
  const { value, invalid } = dialectConversion(type, source, dialect) ?? conversion(type, source);
  return { field, source, value: field.required ? notNull(value, source, field.name) : value, wrong: invalid };
}

/** Types that the engine's CSV reader parses exactly as CAST does. For an invalid `timestamptz` it returns null. */
const READ_AS: Readonly<Partial<Record<ColumnType['kind'], string>>> = {
  boolean: 'BOOLEAN',
  float: 'FLOAT',
  double: 'DOUBLE',
  date: 'TIMESTAMP',
  uuid: 'UUID',
};

/** The type requested from the CSV reader: parsing a value directly is faster than casting its text afterwards. */
export function readerType(field: IcebergField, dialect: CsvDialect): string {
  const type = columnTypeOf(field.type);
  if (dialectConversion(type, sql`NULL`, dialect) !== null) return 'VARCHAR';
  return fitsDouble(type) ? 'DOUBLE' : (READ_AS[type.kind] ?? 'VARCHAR');
}

/** Converts what the CSV reader returns in that type; an error if the text may hold more than the value. */
export function readColumn(field: IcebergField, source: Sql | null, dialect: CsvDialect): TextColumn {
  const column = textColumn(field, source, dialect);
  if (source === null || readerType(field, dialect) === 'VARCHAR') return column;
  const value = readValue(columnTypeOf(field.type), source);
  return value === null ? column : { ...column, value: field.required ? notNull(value, source, field.name) : value };
}

const DAY_MICROS = 86_400_000_000;

function readValue(type: ColumnType, source: Sql): Sql | null {
  switch (type.kind) {
    case 'decimal':
      if (!fitsDouble(type)) return null;
      return sql`CASE WHEN ${sameAsDouble(type, source)} THEN CAST(${source} AS ${typeName(type)})
        WHEN ${source} IS NULL THEN NULL ELSE ${INVALID_VALUE} END`;
    case 'boolean':
    case 'uuid':
      return source;
    case 'float':
    case 'double':
      return sql`CASE WHEN isinf(${source}) THEN ${INVALID_VALUE} ELSE ${source} END`;
    case 'date':
      return sql`CASE WHEN epoch_us(${source}) % ${integer(DAY_MICROS)} <> 0 THEN ${INVALID_VALUE} ELSE CAST(${source} AS DATE) END`;
    default:
      return null;
  }
}

/** The SELECT list of a load. */
export function valueList(columns: readonly TextColumn[]): Sql {
  return joined(columns.map((c) => sql`${c.value} AS ${identifier(c.field.name)}`));
}

/** The index of the first column whose text is wrong, or null. */
export function firstInvalidSql(columns: readonly TextColumn[]): Sql {
  const cases = columns.map((c, i) => {
    const missing = c.field.required && c.source !== null ? sql` OR ${c.source} IS NULL` : sql``;
    return sql`WHEN (${c.wrong}${missing}) THEN ${integer(i)}`;
  });
  return sql`CASE ${joined(cases, ' ')} END`;
}

/** The text of the column whose index is in the column `which`. */
export function textOfWhich(columns: readonly TextColumn[]): Sql {
  const sources = columns.map((c, i) => sql`WHEN ${integer(i)} THEN ${c.source ?? sql`NULL`}`);
  return sql`CASE which ${joined(sources, ' ')} END`;
}

/**
 * Finds a record that can't be loaded: its position, the index of the column, the text.
 *
 * @param source a FROM item that returns the texts
 * @param position the expression for a record's position; if it is `row_number()`, the first record is found
 */
export function firstWrongSql(columns: readonly TextColumn[], source: Sql, position: Sql): Sql {
  const numbered = sql`(SELECT *, ${position} AS record FROM ${source})`;
  const tested = sql`(SELECT *, ${firstInvalidSql(columns)} AS which FROM ${numbered})`;
  return sql`SELECT record, which, ${textOfWhich(columns)} FROM ${tested} WHERE which IS NOT NULL ORDER BY record LIMIT 1`;
}
