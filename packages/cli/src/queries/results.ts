import { shellLine } from '@svc/core/command-lines';
import type { Query, ResultPage } from '@svc/sdk';
import { usageError, workError } from '../cli-error.ts';
import { plural } from '../output/format.ts';
import { rejectTerminal, saveDownload } from '../output/save-download.ts';
import type { TableColumn } from '../output/table.ts';
import type { CommandContext } from '../svc-command.ts';

export interface ShowOptions {
  /** From `resultFormat`. */
  format: string;
  file: string | undefined;
  limit: number | undefined;
  cursor?: string | undefined;
  raw?: boolean | undefined;
}

const FILE_FORMATS = ['csv', 'parquet', 'arrow'] as const;
type FileFormat = (typeof FILE_FORMATS)[number];
const isFileFormat = (format: string): format is FileFormat => FILE_FORMATS.some((one) => one === format);
const TEXT_ROWS = 100;
const JSON_ROWS = 10_000;

/** The format of a result: the chosen one or, for a file, that of its extension. @throws CliError for options that don't fit */
export function resultFormat(flags: { format?: string | undefined; file?: string | undefined; raw?: boolean }): string {
  const { format, file, raw } = flags;
  const detected = file?.slice(file.lastIndexOf('.') + 1).toLowerCase() ?? 'table';
  if (format === undefined && file !== undefined && !isFileFormat(detected))
    throw usageError(`Can't detect the format of ${file} from its extension. Add --format csv, parquet or arrow.`);
  const chosen = format ?? detected;
  if (file !== undefined && !isFileFormat(chosen)) throw usageError('--file requires --format csv, parquet or arrow.');
  if (raw && chosen !== 'csv')
    throw usageError('--raw requires --format csv. The other formats always contain exact values.');
  return chosen;
}

/** Prints the result of a query that succeeded: one page as a table or JSON, or all rows as CSV, Parquet or Arrow. */
export async function showResults(command: CommandContext, query: Query, options: ShowOptions): Promise<void> {
  const { client, io, environment } = command;
  const { format, file, raw } = options;
  if (isFileFormat(format)) {
    if (format !== 'csv') rejectTerminal(file, io);
    await saveDownload(await client.queries.download(environment, query.id, format, { raw }), file, io);
    const { row_count: rows } = query;
    if (file !== undefined) command.note(`Wrote ${rows === null ? 'all rows' : plural(rows, 'row')} to ${file}.`);
    return;
  }
  if (command.outputFormat === 'ndjson' && options.limit === undefined && options.cursor === undefined) {
    const { jsonLines } = await import('../output/paged-list.ts');
    return io.pipe(jsonLines(client.queries.iterRows(environment, query.id)));
  }
  const limit = options.limit ?? (command.json ? JSON_ROWS : TEXT_ROWS);
  const page = await client.queries.results(environment, query.id, { limit, cursor: options.cursor });
  await showPage(command, query, page, limit);
}

async function showPage(command: CommandContext, query: Query, page: ResultPage, limit: number): Promise<void> {
  if (command.outputFormat === 'ndjson') command.printJson(rowObjects(page));
  else if (command.json) command.printJson({ query, ...page });
  else await command.list(page.rows, columnsOf(page), 'No rows.');
  const all = query.row_count;
  if (!command.json && all !== null) command.note(countText(page.rows.length, all));
  if (page.next_cursor === null) return;
  // A cursor belongs to its limit, and the default differs between text and JSON.
  const options = ['--env', command.environment, '--limit', String(limit), '--cursor', page.next_cursor];
  const global = command.outputFormat === 'ndjson' ? ['--output', 'ndjson'] : [];
  const next = shellLine(['svc', ...global, 'query', 'results', query.id, ...options]);
  const line = `More results: ${next}`;
  if (command.json) command.note(line);
  else command.print(line);
}

const countText = (visible: number, all: number) =>
  visible === all ? plural(all, 'row') : `${plural(visible, 'row')} of ${plural(all, 'row').split(' ')[0]}`;

const rowObjects = ({ columns, rows }: ResultPage) =>
  rows.map((row) => Object.fromEntries(columns.map(({ name }, i) => [name, row[i]])));

function columnsOf({ columns }: ResultPage): TableColumn<unknown[]>[] {
  return columns.map(({ name, type }, i) => ({
    header: name,
    right: /^(int|long|float|double|decimal)/.test(type),
    cell: (row) => valueText(row[i]),
  }));
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** @throws CliError with the query's error unless it succeeded */
export async function requireSuccess({ id, status, error, sql_text: sql }: Query): Promise<void> {
  if (status === 'SUCCEEDED') return;
  if (error === null) throw workError(`The query ${id} was cancelled.`);
  const { excerptOf } = await import('./error-excerpt.ts');
  throw workError(error.detail, error.remedy, typeof sql === 'string' ? excerptOf(sql, error.detail) : []);
}
