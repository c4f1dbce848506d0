import path from 'node:path';
import { formatColumnType } from '@svc/core/tables';
import { type CsvDialect, type CsvOptions, DEFAULT_DIALECT } from '@svc/core/writes';
import { columnTypeOf, type IcebergField } from '@svc/iceberg';
import type { EngineChild } from '../queries/sandbox/child-process.ts';
import { identifier, integer, joined, literal, numbered, type Sql, sql } from '../queries/sql-text.ts';
import { groupCsvFiles, textColumns } from './csv-source.ts';
import { fieldsIn, type LoadSource, type LocalFile } from './file-sources.ts';
import { NDJSON_LINE_BYTES } from './lines-of.ts';
import { LoadRejectedError } from './load-errors.ts';
import { exactTexts, fieldsOfLines, ndjsonColumns } from './ndjson-source.ts';
import { readColumns } from './read-csv.ts';
import type { RejectedLine, SplitRequest } from './split-lines.ts';
import { firstInvalidSql, type TextColumn, textOfWhich, valueList } from './value-sql.ts';

const [FILE, LINE] = [identifier('svc_file'), identifier('svc_line')];

/** Files whose lines have the same form. */
type LineGroup = {
  readonly files: readonly LocalFile[];
  readonly form: SplitRequest['form'];
  readonly columns: readonly TextColumn[];
  /** The texts c0, c1, … of the valid lines in this file, with the file and line of each. */
  readonly textsOf: (valid: string) => Sql;
  /** The text of a line. */
  readonly text: Sql;
  /** A test for lines that are wrong as a whole, and the reason. */
  readonly whole: { readonly wrong: Sql; readonly reason: Sql };
};

export interface SkipRequest {
  readonly fields: readonly IcebergField[];
  readonly format: 'csv' | 'ndjson';
  readonly csv: CsvOptions;
  readonly files: readonly LocalFile[];
  /** A folder for its files. */
  readonly dir: string;
  readonly maxErrors: number;
}

export type SkipSource = LoadSource & {
  readonly rejected: number;
  /** Writes the rejected lines to a file. */
  readonly writeRejected: (target: string) => Promise<void>;
};

/**
 * Prepares files for loading without the lines that can't be loaded. A first pass copies the lines that have the right form,
 * with their numbers; a statement then finds those whose values are invalid.
 *
 * @throws LoadRejectedError for too many rejected lines
 */
export async function skipSource(child: EngineChild, request: SkipRequest): Promise<SkipSource> {
  const { files, dir } = request;
  const { groups, ...prepared } = await groupsOf(child, request);
  const selects: Sql[] = [];
  const objects: Sql[] = [];
  const sources: string[] = [];
  let rejected = 0;
  for (const [i, group] of groups.entries()) {
    const at = (name: string) => path.join(dir, `${name}-${i}`);
    const split = await child.send({
      op: 'split-lines',
      files: group.files.map((file) => ({ path: file.path, index: files.indexOf(file) })),
      form: group.form,
      valid: at('valid'),
      rejected: at('malformed'),
      stopAfter: request.maxErrors + 1 - rejected,
    });
    rejected += split.rejected;
    if (rejected > request.maxErrors) throw tooMany(request, split.first!);
    const tested = testedSql(group, at('valid'));
    const wrong = wrongSql(group, tested);
    const copied = sql`COPY (${wrong} ORDER BY file, line) TO ${literal(at('wrong'))} (FORMAT json)`;
    const [row] = await child.send({ op: 'texts', sql: copied.text });
    rejected += Number(row![0]);
    if (rejected > request.maxErrors) throw tooMany(request, await firstRejected(child, wrong, split.first));
    sources.push(at('malformed'), at('wrong'));
    selects.push(sql`SELECT ${valueList(group.columns)} FROM ${tested} WHERE which IS NULL`);
    objects.push(sql`SELECT ${group.text} AS json FROM ${tested} WHERE which IS NULL`);
  }
  const lines = sql`(${joined(objects, '\nUNION ALL\n')})`;
  return {
    ...prepared,
    ...(request.format === 'ndjson' ? { lineFields: () => fieldsOfLines(child, lines, request.fields) } : {}),
    ...{ sql: joined(selects, '\nUNION ALL\n'), detailed: null, explain: async () => {}, rejected },
    writeRejected: async (target) => {
      await child.send({ op: 'write-rejected', sources, names: files.map(({ name }) => name), target });
    },
  };
}

async function groupsOf(
  child: EngineChild,
  { format, files, fields, csv }: SkipRequest,
): Promise<Pick<LoadSource, 'fields' | 'uneven' | 'csv'> & { groups: LineGroup[] }> {
  if (format === 'ndjson') return { groups: [ndjsonGroup(files, fields)], csv: null, fields, uneven: null };
  const { dialect, groups } = await groupCsvFiles(child, files, fields, csv);
  const delimiter = literal(dialect.delimiter);
  const lineGroups = groups.map((group): LineGroup => {
    const names = Array.from({ length: group.width }, (_, i) => numbered('c', i));
    const plain = { ...dialect, header: false };
    return {
      files: group.files,
      form: { format: 'csv', columns: group.width, dialect },
      columns: textColumns(group, fields, dialect),
      textsOf: (valid) => readNumbered(valid, names, plain),
      text: names.map((name) => csvText(name, dialect)).reduce((a, b) => sql`${a} || ${delimiter} || ${b}`),
      whole: { wrong: sql`false`, reason: sql`NULL` },
    };
  });
  return { groups: lineGroups, csv: dialect, ...fieldsIn(fields, groups) };
}

function ndjsonGroup(files: readonly LocalFile[], fields: readonly IcebergField[]): LineGroup {
  const json = identifier('json');
  const lineBytes = 2 * NDJSON_LINE_BYTES + 1024;
  const keys = sql`list_transform(json_keys(json), lambda k: lower(k))`;
  return {
    files,
    form: { format: 'ndjson', names: fields.map(({ name }) => name.toLowerCase()) },
    columns: ndjsonColumns(fields),
    textsOf: (valid) => exactTexts(readNumbered(valid, [json], NUMBERED, lineBytes), fields, sql`, ${FILE}, ${LINE}`),
    text: json,
    whole: {
      wrong: sql`len(list_distinct(${keys})) < len(${keys})`,
      reason: literal('A key appears twice (ignoring letter case).'),
    },
  };
}

/** No line of NDJSON is null. */
const NUMBERED: CsvDialect = { ...DEFAULT_DIALECT, header: false };

function readNumbered(valid: string, names: readonly Sql[], dialect: CsvDialect, rowBytes?: number): Sql {
  const position = [
    [FILE, 'INTEGER'],
    [LINE, 'BIGINT'],
  ] as const;
  return readColumns([valid], [...position, ...names.map((name) => [name, 'VARCHAR'] as const)], dialect, rowBytes);
}

/** A value as the file would have it. */
function csvText(name: Sql, { delimiter, quote, null_text }: CsvDialect): Sql {
  if (quote === '') return sql`coalesce(${name}, ${literal(null_text)})`;
  const mark = literal(quote);
  const special = [delimiter, quote, '\n', '\r'].map((text) => sql`contains(${name}, ${literal(text)})`);
  const quoted = sql`${mark} || replace(${name}, ${mark}, ${literal(quote + quote)}) || ${mark}`;
  const needsQuotes = joined([sql`${name} = ''`, sql`${name} = ${literal(null_text)}`, ...special], ' OR ');
  return sql`CASE WHEN ${name} IS NULL THEN ${literal(null_text)} WHEN ${needsQuotes} THEN ${quoted} ELSE ${name} END`;
}

const WHOLE = sql`-1`;

/** The lines, with the index of the first column whose value is wrong, -1 for a line that is wrong as a whole, or null. */
function testedSql({ columns, textsOf, whole }: LineGroup, valid: string): Sql {
  const which = sql`CASE WHEN ${whole.wrong} THEN ${WHOLE} ELSE ${firstInvalidSql(columns)} END`;
  return sql`(SELECT *, ${which} AS which FROM ${textsOf(valid)})`;
}

const MAX_SHOWN = 200;

/** The lines whose values are wrong, as RejectedLine. */
function wrongSql({ columns, text, whole }: LineGroup, tested: Sql): Sql {
  const names = columns.map(({ field }, i) => sql`WHEN ${integer(i)} THEN ${literal(field.name)}`);
  const types = columns.map(({ field }, i) => {
    return sql`WHEN ${integer(i)} THEN ${literal(formatColumnType(columnTypeOf(field.type)))}`;
  });
  const shown = sql`CASE WHEN length(value) > ${integer(MAX_SHOWN)} THEN value[:${integer(MAX_SHOWN)}] || '…' ELSE value END`;
  const reason = sql`CASE WHEN which = ${WHOLE} THEN ${whole.reason}
    WHEN value IS NULL THEN 'The value is missing, but the column must not be null.'
    ELSE CAST(to_json(${shown}) AS VARCHAR) || ' isn''t a valid ' || CASE which ${joined(types, ' ')} END || '.' END`;
  const valued = sql`(SELECT *, ${textOfWhich(columns)} AS value FROM ${tested} WHERE which IS NOT NULL)`;
  return sql`SELECT ${FILE} AS file, ${LINE} AS line, CASE which ${joined(names, ' ')} END AS "column",
    ${reason} AS reason, ${text} AS text FROM ${valued}`;
}

type Position = Pick<RejectedLine, 'file' | 'line' | 'column' | 'reason'>;

async function firstRejected(child: EngineChild, wrong: Sql, malformed: Position | null): Promise<Position> {
  const first = sql`SELECT file, line, "column", reason FROM (${wrong}) ORDER BY file, line LIMIT 1`;
  const [row] = await child.send({ op: 'texts', sql: first.text });
  if (row === undefined) return malformed!;
  const found = { file: Number(row[0]), line: Number(row[1]), column: row[2] ?? null, reason: String(row[3]) };
  if (malformed === null) return found;
  const isBefore = malformed.file < found.file || (malformed.file === found.file && malformed.line < found.line);
  return isBefore ? malformed : found;
}

function tooMany({ files, maxErrors }: SkipRequest, { file, line, column, reason }: Position): LoadRejectedError {
  const name = files.length === 1 ? '' : `${files[file]!.name ?? `File ${file + 1}`}: `;
  const at = `${name}Line ${line}${column === null ? '' : `, column "${column}"`}`;
  const limit = `${maxErrors} ${maxErrors === 1 ? 'line' : 'lines'}`;
  return new LoadRejectedError({
    code: 'too-many-rejected-lines',
    message: `More than ${limit} can't be loaded, so nothing was loaded. The first: ${at}: ${reason}`,
    line,
    ...(column === null ? {} : { column }),
  });
}
