import type { CsvDialect, CsvOptions } from '@svc/core/writes';
import type { IcebergField } from '@svc/iceberg';
import type { EngineChild } from '../queries/sandbox/child-process.ts';
import { joined, numbered, type Sql, sql } from '../queries/sql-text.ts';
import { CSV_ROW_BYTES, raggedRow } from './csv-walker.ts';
import { detectDialect } from './detect-dialect.ts';
import { explainValues, fieldsIn, inFile, type LocalFile, matchColumns, type Prepare } from './file-sources.ts';
import { isLastLineLonger } from './last-line.ts';
import { malformed } from './load-errors.ts';
import { readCsv } from './read-csv.ts';
import { readColumn, readerType, type TextColumn, textColumn, valueList } from './value-sql.ts';

/** CSV files with the same header row. */
export type CsvGroup = {
  readonly files: LocalFile[];
  /** Number of columns in the files. */
  readonly width: number;
  /** The column of each field, or null. */
  readonly positions: readonly (number | null)[];
};

/** CSV as defined by RFC 4180 or by the options: an unquoted empty field is null, `""` is the empty text. */
export const csvSource: Prepare = async (child, files, fields, options) => {
  const { dialect, groups } = await groupCsvFiles(child, files, fields, options);
  const explain = async (isExplained: (file: LocalFile) => Promise<boolean>) => {
    for (const group of groups)
      for (const file of group.files)
        if (await isExplained(file))
          await inFile(files, file, () => explainFile(child, file, { group, fields, dialect }));
  };
  // The engine leaves out a last line that is longer than two of its buffers, without an error.
  await explain(({ path }) => isLastLineLonger(path, CSV_ROW_BYTES));
  const select = (form: (group: CsvGroup) => Sql) => joined(groups.map(form), '\nUNION ALL\n');
  return {
    sql: select((group) => {
      const columns = columnsOf(group, fields, (field, text) => readColumn(field, text, dialect));
      const types = new Map(fields.map((field, i) => [group.positions[i], readerType(field, dialect)]));
      const read = readCsv(
        pathsOf(group),
        Array.from({ length: group.width }, (_, i) => types.get(i) ?? 'VARCHAR'),
        dialect,
      );
      return sql`SELECT ${valueList(columns)} FROM ${read}`;
    }),
    ...fieldsIn(fields, groups),
    csv: dialect,
    detailed: select((group) => {
      const read = readTexts(pathsOf(group), group, dialect);
      return sql`SELECT ${valueList(textColumns(group, fields, dialect))} FROM ${read}`;
    }),
    explain: () => explain(async () => true),
  };
};

const pathsOf = ({ files }: CsvGroup): string[] => files.map(({ path }) => path);

const readTexts = (paths: readonly string[], { width }: CsvGroup, dialect: CsvDialect): Sql =>
  readCsv(
    paths,
    Array.from({ length: width }, () => 'VARCHAR'),
    dialect,
  );

const columnsOf = (
  { positions }: CsvGroup,
  fields: readonly IcebergField[],
  column: (field: IcebergField, source: Sql | null) => TextColumn,
): TextColumn[] => fields.map((f, i) => column(f, positions[i] == null ? null : numbered('c', positions[i])));

/** How the texts of the columns c0, c1, … become values. */
export const textColumns = (group: CsvGroup, fields: readonly IcebergField[], dialect: CsvDialect): TextColumn[] =>
  columnsOf(group, fields, (field, text) => textColumn(field, text, dialect));

/** Reads the first rows of the files and matches their columns to the fields. */
export async function groupCsvFiles(
  child: EngineChild,
  files: readonly LocalFile[],
  fields: readonly IcebergField[],
  options: CsvOptions,
): Promise<{ dialect: CsvDialect; groups: CsvGroup[] }> {
  const dialect = await detectDialect(child, files[0]!, fields, options);
  const groups = new Map<string, CsvGroup>();
  for (const file of files) {
    await inFile(files, file, async () => {
      const row = await child.send({ op: 'csv-header', path: file.path, dialect });
      if (row === null) throw malformed(emptyFile(dialect));
      if (typeof row === 'string') throw malformed(row, 1);
      const key = dialect.header ? JSON.stringify(row) : '';
      const found = groups.get(key);
      if (found !== undefined) found.files.push(file);
      else groups.set(key, { files: [file], width: row.length, positions: positionsOf(row, fields, dialect) });
    });
  }
  return { dialect, groups: [...groups.values()] };
}

const emptyFile = ({ header }: CsvDialect): string =>
  header ? 'The file is empty. Its first row must contain the column names.' : 'The file is empty.';

function positionsOf(row: readonly string[], fields: readonly IcebergField[], dialect: CsvDialect) {
  if (dialect.header) return matchColumns(row, fields, 1);
  if (row.length !== fields.length) throw malformed(raggedRow(row.length, fields.length, dialect), 1);
  return fields.map((_, i) => i);
}

async function explainFile(
  child: EngineChild,
  { path }: LocalFile,
  of: { readonly group: CsvGroup; readonly fields: readonly IcebergField[]; readonly dialect: CsvDialect },
): Promise<void> {
  const { group, fields, dialect } = of;
  const scan = (record: number | null) => child.send({ op: 'scan-csv', path, columns: group.width, record, dialect });
  const { problem } = await scan(null);
  if (problem) throw malformed(problem.message, problem.line);
  const source = readTexts([path], group, dialect);
  await explainValues(child, textColumns(group, fields, dialect), source, sql`row_number() OVER ()`, async (record) => {
    return (await scan(Number(record))).recordLine ?? Number(record) + Number(dialect.header);
  });
}
