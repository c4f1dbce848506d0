import { shellLine } from '@svc/core/command-lines';
import type { Page } from '@svc/sdk';
import type { Io } from '../terminal/io.ts';
import { jsonText } from './escape.ts';
import type { TableColumn } from './table.ts';

/** Which page of a list to fetch. */
export interface PageRequest {
  limit?: number | undefined;
  cursor?: string | undefined;
  signal?: AbortSignal;
}
export type FetchPage<R> = (request: PageRequest) => Promise<Page<R>>;

/** Options of a paged list. `watch` and `all-pages` are missing if it doesn't have them. */
export interface ListFlags {
  all?: boolean;
  'all-pages'?: boolean;
  limit?: number;
  cursor?: string;
  watch?: boolean;
}

/** The parts of a command that print a list. */
interface ListCommand {
  io: Io;
  outputFormat: string;
  json: boolean;
  commandLine: readonly string[];
  list: <R>(rows: readonly R[], columns: readonly TableColumn<R>[], nothing: string) => Promise<void>;
  note: (text: string) => void;
  print: (text: string) => void;
}

interface PagedList<R> {
  fetchPage: FetchPage<R>;
  columns: readonly TableColumn<R>[];
  /** The note on an empty list. */
  nothing: string;
}

/** Prints a list of the service and returns the rows that text shows. */
export async function printPagedList<R>(
  command: ListCommand,
  flags: ListFlags,
  list: PagedList<R>,
): Promise<readonly R[]> {
  const { fetchPage } = list;
  const { limit, cursor, watch } = flags;
  const readsAll = flags['all-pages'] ?? flags.all ?? false;
  const show = (page: Page<R>) => printPage(command, page, list);
  if (watch) {
    const { watchPage } = await import('../terminal/watch.ts');
    return watchPage(command.io, (signal) => fetchPage({ limit, cursor, signal }), show);
  }
  const isStream = command.outputFormat === 'ndjson';
  if (readsAll || (isStream && limit === undefined && cursor === undefined)) {
    const all = rowsOf(fetchPage, limit, cursor);
    if (!isStream) return printAll(command, all, list);
    await command.io.pipe(jsonLines(all));
    return [];
  }
  const page = await fetchPage({ limit, cursor });
  await show(page);
  return page.items;
}

/** The largest page of the service, which needs the fewest requests. */
const MAX_ROWS = 200;

/** All rows of a list from a cursor on, page by page. */
async function* rowsOf<R>(fetchPage: FetchPage<R>, limit = MAX_ROWS, start?: string): AsyncGenerator<R> {
  let cursor = start;
  do {
    const page = await fetchPage({ limit, cursor });
    yield* page.items;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

async function printAll<R>(
  command: ListCommand,
  all: AsyncIterable<R>,
  { columns, nothing }: PagedList<R>,
): Promise<readonly R[]> {
  const rows: R[] = [];
  for await (const row of all) rows.push(row);
  await command.list(rows, columns, nothing);
  return rows;
}

/** One line of JSON per value. */
export async function* jsonLines(values: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const value of values) yield Buffer.from(`${jsonText(value, 0)}\n`);
}

/** Prints a page and, if there are more rows, the command for the next page. */
async function printPage<R>(command: ListCommand, page: Page<R>, { columns, nothing }: PagedList<R>): Promise<void> {
  await command.list(page.items, columns, nothing);
  if (page.next_cursor === null) return;
  const { outputFormat, json, commandLine } = command;
  const global = json ? ['--output', outputFormat] : [];
  const next = ['svc', ...global, ...repeatedArguments(commandLine), '--cursor', page.next_cursor];
  const line = `More results: ${shellLine(next)}`;
  if (json) command.note(line);
  else command.print(line);
}

/** The arguments that the command for the next page repeats. A next page is fixed in time, so it isn't watched. */
function repeatedArguments(argv: readonly string[]): string[] {
  const left = /^(--cursor|--output|-o|--format)$/;
  const whole = /^(--cursor=|--output=|-o.|--format=|--json$|--debug$|--watch$|-w$)/;
  return argv.filter((arg, i) => !left.test(arg) && !left.test(argv[i - 1] ?? '') && !whole.test(arg));
}
