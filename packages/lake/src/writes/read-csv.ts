import type { CsvDialect } from '@svc/core/writes';
import { integer, joined, literal, literals, numbered, type Sql, sql } from '../queries/sql-text.ts';
import { CSV_ROW_BYTES } from './csv-walker.ts';

/**
 * The engine's buffer size, which the longest row must fit into. With the default of 32 MB, all but the largest files
 * have too few chunks for its threads.
 */
const BUFFER_BYTES = Math.ceil(CSV_ROW_BYTES * 1.05);

/** The character around values and the one before it inside of them; both are empty without quotes. */
const quoting = ({ quote }: CsvDialect): Sql => sql`quote = ${literal(quote)}, escape = ${literal(quote)}`;

/** Reads CSV files with columns c0, c1, … of these types. */
export function readCsv(paths: readonly string[], types: readonly string[], dialect: CsvDialect): Sql {
  return readColumns(
    paths,
    types.map((type, i) => [numbered('c', i), type]),
    dialect,
  );
}

/** Reads CSV files with these columns. */
export function readColumns(
  paths: readonly string[],
  named: readonly (readonly [Sql, string])[],
  dialect: CsvDialect,
  rowBytes = BUFFER_BYTES,
): Sql {
  const columns = named.map(([name, type]) => sql`${name}: ${literal(type)}`);
  const header = dialect.header ? sql`true` : sql`false`;
  return sql`read_csv(${literals(paths)}, auto_detect = false, header = ${header}, delim = ${literal(dialect.delimiter)},
    ${quoting(dialect)}, nullstr = ${literal(dialect.null_text)}, allow_quoted_nulls = false, strict_mode = true,
    buffer_size = ${integer(rowBytes)}, columns = {${joined(columns)}})`;
}

/** Reads a CSV file with columns that the engine infers. */
export function readInferred(path: string, dialect: CsvDialect): Sql {
  const formats = [
    ...(dialect.date_format === null ? [] : [sql`, dateformat = ${literal(dialect.date_format)}`]),
    ...(dialect.timestamp_format === null ? [] : [sql`, timestampformat = ${literal(dialect.timestamp_format)}`]),
    ...(dialect.decimal_separator === '.' ? [] : [sql`, decimal_separator = ','`]),
  ];
  const header = dialect.header ? sql`true` : sql`false`;
  return sql`read_csv(${literal(path)}, header = ${header}, delim = ${literal(dialect.delimiter)}, ${quoting(dialect)},
    nullstr = ${literal(dialect.null_text)}, hive_partitioning = false, sample_size = -1${joined(formats, '')})`;
}
