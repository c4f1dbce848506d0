import type { ColumnType } from '@svc/core/tables';
import { notNull } from '../queries/output/output-sql.ts';
import { writeDefaultSql } from '../queries/relations/field-sql.ts';
import { identifier } from '../queries/sql-text.ts';
import { columnTypeOf, duckdbType, type IcebergField } from '../tables/index.ts';

/** How a column's text becomes its value: the expression that fails on a wrong one, and the test that finds it. */
export type TextColumn = {
  readonly field: IcebergField;
  /** The text's column in the source; null when the file does not have it. */
  readonly source: string | null;
  readonly value: string;
  /** True for a text that is no value of the type; null never is. */
  readonly wrong: string;
};

export function textColumn(field: IcebergField, source: string | null): TextColumn {
  if (source === null) return { field, source, value: writeDefaultSql(field), wrong: 'false' };
  const { value, wrong } = conversion(field, source);
  return { field, source, value: field.required ? notNull(value, source, field.name) : value, wrong };
}

/** Kinds that the engine's CSV reader takes from a text exactly as CAST does; it gives null for a wrong `timestamptz`. */
const READ_AS_CAST: ReadonlySet<ColumnType['kind']> = new Set([
  'boolean',
  'float',
  'double',
  'decimal',
  'date',
  'time',
  'timestamp',
  'uuid',
]);

/** The type that the CSV reader is asked for: reading a value at once is quicker than casting its text after. */
export function readerType(field: IcebergField): string {
  const type = columnTypeOf(field.type);
  return READ_AS_CAST.has(type.kind) ? duckdbType(type) : 'VARCHAR';
}

function conversion(field: IcebergField, text: string): { value: string; wrong: string } {
  const type = columnTypeOf(field.type);
  const engine = duckdbType(type);
  switch (type.kind) {
    case 'string':
      return { value: text, wrong: 'false' };
    case 'binary':
      return { value: `from_base64(${text})`, wrong: `${text} IS NOT NULL AND TRY(from_base64(${text})) IS NULL` };
    case 'int':
    case 'long': {
      // The engine would round 1.5 and 15e-1; a whole number written 1.0 or 1e3 is one. Most texts are digits only, and
      // are told so by the least that tells it.
      const whole = `CASE WHEN TRY_CAST(${text} AS DOUBLE) % 1 <> 0 THEN 'fraction' ELSE ${text} END`;
      const digits = `NOT contains(${text}, '.') AND NOT contains(${text}, '-')`;
      const checked = casts(text, whole, engine);
      return {
        value: `CASE WHEN ${digits} THEN CAST(${text} AS ${engine}) ELSE ${checked.value} END`,
        wrong: checked.wrong,
      };
    }
    case 'list':
    case 'map':
    case 'struct':
      return {
        value: `CAST(CAST(${text} AS JSON) AS ${engine})`,
        wrong: `${text} IS NOT NULL AND TRY_CAST(TRY_CAST(${text} AS JSON) AS ${engine}) IS NULL`,
      };
    default:
      return casts(text, text, engine);
  }
}

const casts = (text: string, prepared: string, engine: string) => ({
  value: `CAST(${prepared} AS ${engine})`,
  wrong: `${text} IS NOT NULL AND TRY_CAST(${prepared} AS ${engine}) IS NULL`,
});

/** The SELECT list of a load. */
export function valueList(columns: readonly TextColumn[]): string {
  return columns.map((c) => `${c.value} AS ${identifier(c.field.name)}`).join(', ');
}

/**
 * Finds a record that cannot be loaded: its place, the index of the column, the text.
 *
 * @param source a FROM item that gives the texts
 * @param place what tells where a record stands; the first by `row_number()` when it is that
 */
export function firstWrongSql(columns: readonly TextColumn[], source: string, place: string): string {
  const tests = columns.map((c) => {
    const missing = c.field.required && c.source !== null ? ` OR ${c.source} IS NULL` : '';
    return `(${c.wrong}${missing})`;
  });
  const which = `CASE ${tests.map((t, i) => `WHEN ${t} THEN ${i}`).join(' ')} END`;
  const texts = `CASE which ${columns.map((c, i) => `WHEN ${i} THEN ${c.source ?? 'NULL'}`).join(' ')} END`;
  const placed = `(SELECT *, ${place} AS place FROM ${source})`;
  const tested = `(SELECT *, ${which} AS which FROM ${placed})`;
  return `SELECT place, which, ${texts} FROM ${tested} WHERE which IS NOT NULL ORDER BY place LIMIT 1`;
}
