import { formatColumnType } from '@svc/core/tables';
import type { CsvDialect, CsvOptions } from '@svc/core/writes';
import { columnTypeOf, type IcebergField } from '@svc/iceberg';
import { isOptionalInFile } from '../queries/relations/field-sql.ts';
import type { EngineChild } from '../queries/sandbox/child-process.ts';
import type { Sql } from '../queries/sql-text.ts';
import {
  invalidValueError,
  LoadRejectedError,
  malformed,
  missingColumn,
  nullValue,
  unknownColumn,
} from './load-errors.ts';
import { firstWrongSql, type TextColumn } from './value-sql.ts';

export type LoadFormat = 'csv' | 'ndjson' | 'parquet';

/** A file with rows: uncompressed, and as UTF-8 if it is text. */
export type LocalFile = { readonly name: string | null; readonly path: string };

/** Files prepared for loading: the SELECT to run, and the search for the cause if it fails. */
export type LoadSource = {
  readonly sql: Sql;
  /** The fields that the files have. Of NDJSON, all that a line may have; see `lineFields`. */
  readonly fields: readonly IcebergField[];
  /** A field that only some of the files have, or null. */
  readonly uneven: IcebergField | null;
  /** Reads which fields the lines of NDJSON have, and one that only some of them have. */
  readonly lineFields?: () => Promise<Pick<LoadSource, 'fields' | 'uneven'>>;
  /** What CSV is read as; null for other formats. */
  readonly csv: CsvDialect | null;
  /** Parses every text itself, for when `sql` failed and no cause was found; null if `sql` already does. */
  readonly detailed: Sql | null;
  /** Throws LoadRejectedError if it finds the cause. */
  readonly explain: () => Promise<void>;
};

export type Prepare = (
  child: EngineChild,
  files: readonly LocalFile[],
  fields: readonly IcebergField[],
  csv: CsvOptions,
) => Promise<LoadSource>;

/** Runs work on one of the files. An error names the file, unless it is the only one. */
export async function inFile<R>(files: readonly LocalFile[], file: LocalFile, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LoadRejectedError) || files.length === 1) throw error;
    const name = file.name ?? `File ${files.indexOf(file) + 1}`;
    throw new LoadRejectedError({ ...error.error, message: `${name}: ${error.error.message}` });
  }
}

/** The fields that the files have, and one that only some of them have. */
export function fieldsIn(
  fields: readonly IcebergField[],
  groups: readonly { readonly positions: readonly (number | null)[] }[],
): Pick<LoadSource, 'fields' | 'uneven'> {
  const has =
    (i: number) =>
    ({ positions }: { readonly positions: readonly (number | null)[] }) =>
      positions[i] != null;
  const found = fields.filter((_, i) => groups.some(has(i)));
  return { fields: found, uneven: fields.find((_, i) => groups.some(has(i)) && !groups.every(has(i))) ?? null };
}

const names = (fields: readonly IcebergField[]): string[] => fields.map((f) => f.name);

/**
 * Matches a file's column names, from the given line, to the fields, ignoring case. Returns the index of each field, or
 * null.
 */
export function matchColumns(
  actual: readonly string[],
  fields: readonly IcebergField[],
  line?: number,
): (number | null)[] {
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
