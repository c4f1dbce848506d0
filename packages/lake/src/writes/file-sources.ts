import { type ColumnType, formatColumnType, parseColumnType } from '@svc/core/tables';
import { columnTypeOf, type IcebergField } from '@svc/iceberg';
import { notNull } from '../queries/output/output-sql.ts';
import { isOptionalInFile, writeDefaultSql } from '../queries/relations/field-sql.ts';
import { outputColumns } from '../queries/results/result-columns.ts';
import { type EngineChild, EngineError } from '../queries/sandbox/child-process.ts';
import type { EngineType } from '../queries/sandbox/engine-types.ts';
import { identifier, integer, joined, literal, numbered, type Sql, sql, typeName } from '../queries/sql-text.ts';
import {
  invalidValueError,
  LoadRejectedError,
  malformed,
  missingColumn,
  nullValue,
  unknownColumn,
} from './load-errors.ts';
import { CSV_ROW_BYTES } from './scan-lines.ts';
import { firstWrongSql, readColumn, readerType, type TextColumn, textColumn, valueList } from './value-sql.ts';

/** A file prepared for loading: the SELECT to run, and the search for the cause if it fails. */
export type LoadSource = {
  readonly sql: Sql;
  /** The fields that the file has; NDJSON can have any. */
  readonly fields: readonly IcebergField[];
  /** Parses every text itself, for when `sql` failed and no cause was found; null if `sql` already does. */
  readonly detailed: Sql | null;
  /** Throws LoadRejectedError if it finds the cause. */
  readonly explain: () => Promise<void>;
};

export type Prepare = (child: EngineChild, path: string, fields: readonly IcebergField[]) => Promise<LoadSource>;

const names = (fields: readonly IcebergField[]): string[] => fields.map((f) => f.name);

/**
 * Matches a file's column names, from the given line, to the fields, ignoring case. Returns the index of each field, or
 * null.
 */
function matchColumns(actual: readonly string[], fields: readonly IcebergField[], line?: number): (number | null)[] {
  const at = new Map<string, number>();
  for (const [i, name] of actual.entries()) {
    const key = name.toLowerCase();
    if (at.has(key)) throw malformed(`The column "${name}" appears twice in the file.`, line);
    if (!fields.some((f) => f.name.toLowerCase() === key)) throw unknownColumn(name, names(fields), line);
    at.set(key, i);
  }
  return fields.map((field) => {
    const found = at.get(field.name.toLowerCase());
    if (found === undefined && !isOptionalInFile(field)) throw missingColumn(field.name, line);
    return found ?? null;
  });
}

/** Finds the first record that can't be loaded and reports its line, column and value. */
export async function explainValues(
  child: EngineChild,
  columns: readonly TextColumn[],
  source: Sql,
  position: Sql,
  lineOf: (position: string) => Promise<number>,
): Promise<void> {
  const [row] = await child.send({ op: 'texts', sql: firstWrongSql(columns, source, position).text });
  if (!row) return;
  const { field } = columns[Number(row[1])]!;
  const line = await lineOf(String(row[0]));
  const text = row[2] ?? null;
  if (text === null) throw nullValue(line, field.name);
  throw invalidValueError(line, field.name, formatColumnType(columnTypeOf(field.type)), text);
}

/**
 * The engine's buffer size, which the longest row must fit into. With the default of 32 MB, all but the largest files
 * have too few chunks for its threads.
 */
const BUFFER_BYTES = Math.ceil(CSV_ROW_BYTES * 1.05);

/** Columns c0, c1, … of these types. */
export function readCsv(path: string, types: readonly string[]): Sql {
  const columns = types.map((type, i) => sql`${numbered('c', i)}: ${literal(type)}`);
  return sql`read_csv(${literal(path)}, auto_detect = false, header = true, delim = ',', quote = '"', escape = '"',
    nullstr = '', allow_quoted_nulls = false, strict_mode = true, buffer_size = ${integer(BUFFER_BYTES)},
    columns = {${joined(columns)}})`;
}

/** CSV as defined by RFC 4180: an unquoted empty field is null, `""` is the empty text. */
export const csvSource: Prepare = async (child, path, fields) => {
  const header = await child.send({ op: 'csv-header', path });
  if (header === null) throw malformed('The file is empty. Its first row must contain the column names.');
  if (typeof header === 'string') throw malformed(header, 1);
  const positions = matchColumns(header, fields, 1);
  const types = new Map<number | null, string>(fields.map((f, i) => [positions[i]!, readerType(f)]));
  const [columns, quick] = [textColumn, readColumn].map((column) =>
    fields.map((f, i) => column(f, positions[i] === null ? null : numbered('c', positions[i]!))),
  ) as [TextColumn[], TextColumn[]];
  const source = readCsv(
    path,
    header.map(() => 'VARCHAR'),
  );
  const read = readCsv(
    path,
    header.map((_, i) => types.get(i)!),
  );
  return {
    sql: sql`SELECT ${valueList(quick)} FROM ${read}`,
    fields: fields.filter((_, i) => positions[i] !== null),
    detailed: sql`SELECT ${valueList(columns)} FROM ${source}`,
    explain: async () => {
      const scan = (record: number | null) => child.send({ op: 'scan-csv', path, columns: header.length, record });
      const { problem } = await scan(null);
      if (problem) throw malformed(problem.message, problem.line);
      await explainValues(child, columns, source, sql`row_number() OVER ()`, async (record) => {
        return (await scan(Number(record))).recordLine ?? Number(record) + 1;
      });
    },
  };
};

/** Parquet: columns are matched by name and must have the table's type or one that widens to it without loss. */
export const parquetSource: Prepare = async (child, path, fields) => {
  const source = sql`read_parquet(${literal(path)})`;
  const described = await child
    .send({ op: 'describe', sql: sql`SELECT * FROM ${source}`.text })
    .catch(toRejection(() => malformed("The file isn't a readable Parquet file.")));
  const actual = outputColumns(described);
  const positions = matchColumns(
    actual.map((c) => c.name),
    fields,
  );
  const list = fields.map((field, i) => {
    const position = positions[i];
    const type = columnTypeOf(field.type);
    if (position === null || position === undefined) return sql`${writeDefaultSql(field)} AS ${identifier(field.name)}`;
    const column = actual[position]!;
    requireWidening(column.name, column.type, type);
    const text = identifier(column.name);
    const value = sql`CAST(${text} AS ${typeName(type)})`;
    return sql`${field.required ? notNull(value, text, field.name) : value} AS ${identifier(field.name)}`;
  });
  if (described.some(({ type }) => containsTimestamps(type))) await rejectTruncatedTimestamps(child, path, fields);
  const required = fields.filter((f) => f.required);
  return {
    sql: sql`SELECT ${joined(list)} FROM ${source}`,
    fields: fields.filter((_, i) => positions[i] !== null),
    detailed: null,
    explain: async () => {
      for (const field of required) {
        const numberedRows = sql`SELECT row_number() OVER () AS rn, ${identifier(field.name)} AS v FROM ${source}`;
        const first = sql`SELECT rn FROM (${numberedRows}) WHERE v IS NULL LIMIT 1`;
        const [row] = await child.send({ op: 'texts', sql: first.text }).catch(() => []);
        if (row) throw nullValue(Number(row[0]), field.name);
      }
      throw malformed("The file isn't a Parquet file, or it is damaged.");
    },
  };
};

/**
 * Turns a failed statement of the engine's process into a rejection of the file; errors about the process itself pass
 * through.
 */
const toRejection =
  (createError: (message: string) => LoadRejectedError) =>
  (error: unknown): never => {
    throw error instanceof EngineError ? createError(error.message) : error;
  };

const containsTimestamps = ({ id, inner = [] }: EngineType): boolean =>
  id.startsWith('TIMESTAMP') || inner.some(containsTimestamps);

/** Tables store microseconds, so timestamps that would lose digits are rejected like any other lossy value. */
async function rejectTruncatedTimestamps(
  child: EngineChild,
  path: string,
  fields: readonly IcebergField[],
): Promise<void> {
  const truncated = await child
    .send({ op: 'cut-timestamp', path })
    .catch(
      toRejection((message) =>
        malformed(
          `The timestamps in the file can't be checked (${message.slice(0, 200)}). Write them in microseconds.`,
        ),
      ),
    );
  if (truncated === null) return;
  const field = fields.find(({ name }) => name.toLowerCase() === truncated.column.toLowerCase());
  const [name, type] =
    field === undefined ? [truncated.column, 'timestamp'] : [field.name, formatColumnType(columnTypeOf(field.type))];
  throw invalidValueError(truncated.row, name, type, truncated.value);
}

const WIDENINGS: Readonly<Partial<Record<ColumnType['kind'], readonly ColumnType['kind'][]>>> = {
  int: ['long', 'decimal', 'double'],
  long: ['decimal'],
  float: ['double'],
  date: ['timestamp'],
};

function requireWidening(name: string, actualType: string, expected: ColumnType): void {
  const parsed = parseColumnType(actualType);
  const actual = parsed.ok ? parsed.type : null;
  const wire = formatColumnType(expected);
  if (actual && (formatColumnType(actual) === wire || isWidening(actual, expected))) return;
  throw new LoadRejectedError({
    code: 'wrong-type',
    message: `The column "${name}" has type ${actualType} in the file, but ${wire} in the table.`,
    column: name,
  });
}

function isWidening(actual: ColumnType, expected: ColumnType): boolean {
  if (actual.kind === 'decimal' && expected.kind === 'decimal') {
    return expected.scale >= actual.scale && expected.precision - expected.scale >= actual.precision - actual.scale;
  }
  if (actual.kind === 'list' && expected.kind === 'list') {
    return (
      formatColumnType(actual.element) === formatColumnType(expected.element) ||
      isWidening(actual.element, expected.element)
    );
  }
  return WIDENINGS[actual.kind]?.includes(expected.kind) ?? false;
}
