import { type CsvDialect, type CsvOptions, dialectOf } from '@svc/core/writes';
import { columnTypeOf, type IcebergField } from '@svc/iceberg';
import type { EngineChild } from '../queries/sandbox/child-process.ts';
import { joined, literal, numbered, sql } from '../queries/sql-text.ts';
import { type LocalFile, matchColumns } from './file-sources.ts';
import { LoadRejectedError } from './load-errors.ts';
import { firstInvalidSql, textColumn } from './value-sql.ts';

const DELIMITERS = [',', ';', '\t', '|'];
const QUOTES = ['"', "'"];

/**
 * The dialect of a file for a table: the specified one if its header row fits the table, otherwise the first dialect whose
 * header row does, otherwise one without a header row whose first row has a value for each column. A header row with an
 * unknown name is therefore an error, not a row.
 */
export async function detectDialect(
  child: EngineChild,
  { path }: LocalFile,
  fields: readonly IcebergField[],
  options: CsvOptions,
): Promise<CsvDialect> {
  const specified = dialectOf(options);
  if (options.detect !== true) return specified;
  const candidates = dialectsOf(options);
  const firstRow = async (dialect: CsvDialect) => {
    const row = await child.send({ op: 'csv-header', path, dialect });
    return typeof row === 'string' ? null : row;
  };
  if (options.header !== false) {
    for (const dialect of candidates) {
      const row = await firstRow(dialect);
      if (row !== null && isHeader(row, fields)) return { ...dialect, header: true };
    }
  }
  if (options.header === undefined || !options.header) {
    for (const candidate of candidates) {
      const dialect = { ...candidate, header: false };
      const row = await firstRow(dialect);
      if (row !== null && (await isRow(child, row, fields, dialect))) return dialect;
    }
  }
  return specified;
}

/** The dialects that options allow, with the specified one first. */
export function dialectsOf(options: CsvOptions): CsvDialect[] {
  const base = dialectOf(options);
  const delimiters = options.delimiter === undefined ? DELIMITERS : [options.delimiter];
  const quotes = options.quote === undefined ? QUOTES : [options.quote];
  return delimiters.flatMap((delimiter) =>
    quotes.filter((quote) => quote !== delimiter).map((quote) => ({ ...base, delimiter, quote })),
  );
}

function isHeader(row: readonly string[], fields: readonly IcebergField[]): boolean {
  try {
    matchColumns(row, fields);
    return true;
  } catch (error) {
    if (error instanceof LoadRejectedError) return false;
    throw error;
  }
}

/** Whether values are a row of the table. Texts alone prove nothing, because a header row consists of them. */
async function isRow(
  child: EngineChild,
  row: readonly string[],
  fields: readonly IcebergField[],
  dialect: CsvDialect,
): Promise<boolean> {
  const isTyped = fields.some((field, i) => columnTypeOf(field.type).kind !== 'string' && row[i] !== dialect.null_text);
  if (row.length !== fields.length || !isTyped || row.some((text) => text.includes('\0'))) return false;
  const columns = fields.map((field, i) => textColumn(field, numbered('c', i), dialect));
  const values = row.map((text, i) => {
    const value = text === dialect.null_text ? sql`NULL` : literal(text);
    return sql`CAST(${value} AS VARCHAR) AS ${numbered('c', i)}`;
  });
  const test = sql`SELECT ${firstInvalidSql(columns)} FROM (SELECT ${joined(values)})`;
  const [found] = await child.send({ op: 'texts', sql: test.text });
  return found?.[0] === null;
}
