import { type CsvDialect, type CsvOptions, dialectOf } from '@svc/core/writes';
import type { EngineChild } from '../queries/sandbox/child-process.ts';
import { literal, sql } from '../queries/sql-text.ts';

/** A name such as 2024, which tables with a column for each year have. */
const YEAR = /^[12]\d{3}$/;

/**
 * The dialect of a file without a table. A header row of several names in the specified dialect shows that it is that one;
 * otherwise the engine detects it.
 */
export async function sniffDialect(child: EngineChild, path: string, options: CsvOptions): Promise<CsvDialect> {
  const specified = dialectOf(options);
  const firstRow = async (dialect: CsvDialect): Promise<readonly string[]> => {
    const row = await child.send({ op: 'csv-header', path, dialect });
    return row === null || typeof row === 'string' ? [] : row;
  };
  const isSpecified = (await firstRow(specified)).length > 1;
  const fixed = {
    delimiter: isSpecified ? specified.delimiter : options.delimiter,
    quote: isSpecified ? specified.quote : options.quote,
  };
  const found = await sniff(child, path, fixed);
  if (found === null) return specified;
  const dialect = {
    ...specified,
    delimiter: fixed.delimiter ?? found.delimiter,
    quote: fixed.quote ?? found.quote ?? specified.quote,
  };
  if (options.header !== undefined || found.header) return dialect;
  const values = await firstRow({ ...dialect, header: true });
  const isNames = values.every((value, i) => found.types[i] === 'VARCHAR' || YEAR.test(value));
  return { ...dialect, header: isNames };
}

/** `quote` is null if no value is quoted. */
interface Sniffed {
  delimiter: string;
  quote: string | null;
  header: boolean;
  types: string[];
}

async function sniff(
  child: EngineChild,
  path: string,
  { delimiter, quote }: { delimiter: string | undefined; quote: string | undefined },
): Promise<Sniffed | null> {
  const delim = delimiter === undefined ? sql`` : sql`, delim = ${literal(delimiter)}`;
  const quotes = quote === undefined ? sql`` : sql`, quote = ${literal(quote)}, escape = ${literal(quote)}`;
  const types = sql`to_json(list_transform(Columns, lambda c: c.type))`;
  const read = sql`SELECT Delimiter, Quote, HasHeader, ${types} FROM sniff_csv(${literal(path)}${delim}${quotes})`;
  const [row] = await child.send({ op: 'texts', sql: read.text });
  if (row === undefined) return null;
  const [found, mark, header, columns] = row;
  return {
    delimiter: found!,
    quote: mark === null || mark === '(empty)' ? null : mark!,
    header: header === 'true',
    types: JSON.parse(columns!) as string[],
  };
}
