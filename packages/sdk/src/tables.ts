import type { Snapshot, Table, Write } from './records.ts';
import type { BreakGlass, CallOptions, Page, Requester } from './request.ts';
import type { AnswerOf, BodyOf } from './routes.ts';
import { split } from './split.ts';
import type { UploadBody } from './transport.ts';

type Paging = CallOptions & { limit?: number | undefined; cursor?: string | undefined };
/** A table that stands, perhaps without the retention asked for: then `retention_error` says why and what to do. */
export type CreatedTable = AnswerOf<'tables.create'> & { retention_error?: { detail: string; remedy: string } };

/** Last write and read, size, files, and who reads it. */
export type TableHealth = AnswerOf<'tables.health'>;

export type LoadFormat = 'csv' | 'ndjson' | 'parquet';
const MEDIA_TYPES: Record<LoadFormat, string> = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
};

export interface LoadOptions extends CallOptions, BreakGlass {
  format: LoadFormat;
  /** Default `append`. */
  mode?: 'append' | 'replace' | undefined;
  /** Kept with the write: how far an incremental load has come. */
  watermark?: string | undefined;
}

/** Tables, views and artifacts; `table` is `<namespace>.<table>`, the namespace dotted. */
export class Tables {
  readonly #call: Requester;

  constructor(call: Requester) {
    this.#call = call;
  }

  /** Creates a managed table out of `columns`, or an external one out of `location` and `format`. */
  create(
    env: string,
    table: string,
    options: CallOptions & BreakGlass & Omit<BodyOf<'tables.create'>, 'name'>,
  ): Promise<CreatedTable> {
    const { name, ...params } = tableParams(env, table);
    const { call, rest } = split(options);
    const body = { name, ...(rest as Omit<BodyOf<'tables.create'>, 'name'>) };
    return this.#call.request('tables.create', { ...call, params, body });
  }

  /** The first page of `listPage`. */
  async list(env: string, namespace: string, options: Paging = {}): Promise<Table[]> {
    return (await this.listPage(env, namespace, options)).items;
  }

  /** The tables of a namespace that the caller may read, by name. */
  listPage(env: string, namespace: string, options: Paging = {}): Promise<Page<Table>> {
    const { call, rest } = split(options);
    return this.#call.page('tables.list', { ...call, params: { env, path: namespace }, query: rest });
  }

  iter(env: string, namespace: string, options: Paging = {}): AsyncGenerator<Table, void, undefined> {
    const { call, rest } = split(options);
    return this.#call.iterate('tables.list', { ...call, params: { env, path: namespace }, query: rest });
  }

  get(env: string, table: string, options: CallOptions = {}): Promise<Table> {
    return this.#call.request('tables.get', { ...options, params: tableParams(env, table) });
  }

  /** Description, column descriptions, owner. */
  update(
    env: string,
    table: string,
    body: BodyOf<'tables.update'>,
    options: CallOptions & BreakGlass = {},
  ): Promise<Table> {
    return this.#call.request('tables.update', { ...options, params: tableParams(env, table), body });
  }

  /** The snapshots of a managed table, newest first. */
  snapshots(env: string, table: string, options: CallOptions = {}): Promise<Snapshot[]> {
    return this.#call.request('tables.snapshots', { ...options, params: tableParams(env, table) });
  }

  /** Reads are counted over the last `days`, 30 where none are given. */
  health(env: string, table: string, options: CallOptions & { days?: number | undefined } = {}): Promise<TableHealth> {
    const { call, rest } = split(options);
    return this.#call.request('tables.health', { ...call, params: tableParams(env, table), query: rest });
  }

  /**
   * Uploads rows. The answer is the queued write: `client.writes.wait` waits for its end. A body that can be given
   * anew (a text, bytes, or a function that opens the stream) is sent again when the connection breaks; a bare stream
   * is not.
   */
  load(env: string, table: string, body: UploadBody, options: LoadOptions): Promise<Write> {
    const { call, rest } = split(options);
    return this.#call.request('writes.create', {
      ...call,
      params: tableParams(env, table),
      query: { mode: rest.mode, watermark: rest.watermark },
      body,
      contentType: MEDIA_TYPES[rest.format],
    });
  }

  /** The file of an artifact, as it arrives. */
  download(env: string, table: string, options: CallOptions = {}): Promise<AsyncIterable<Uint8Array>> {
    return this.#call.stream('tables.content', { ...options, params: tableParams(env, table) });
  }
}

/** `<namespace>.<table>` as the routes take it. @throws TypeError for what is no table name */
export function tableParams(env: string, table: string): { env: string; path: string; name: string } {
  const dot = table.lastIndexOf('.');
  if (dot <= 0 || dot === table.length - 1) {
    throw new TypeError(`${JSON.stringify(table)} is no table name: write <namespace>.<table>`);
  }
  return { env, path: table.slice(0, dot), name: table.slice(dot + 1) };
}
