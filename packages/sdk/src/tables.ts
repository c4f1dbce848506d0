import { tableParams } from './address.ts';
import { Tables as GeneratedTables } from './generated/tables.ts';
import { Queries } from './queries.ts';
import type { LoadMode, Query, TableRetention, Write } from './records.ts';
import type { BreakGlass, CallOptions } from './request.ts';
import type { AnswerOf, BodyOf } from './routes.ts';
import { split } from './split.ts';
import type { UploadBody } from './transport.ts';
import { type FileLoad, isFile, isSentInParts, type NamedFile, type UploadFile, uploadInParts } from './upload-file.ts';
import { Uploads } from './uploads.ts';

/** A created table. If its retention was rejected, `retention_error` has the reason and the remedy. */
export type CreatedTable = AnswerOf<'tables.create'>;

/** A rule for one table: exactly one of the three; `on` is a date or `YYYY-MM-DD`, in UTC. */
export type RetentionRule =
  | { days: number; on?: undefined; never?: undefined }
  | { on: Date | string; days?: undefined; never?: undefined }
  | { never: true; days?: undefined; on?: undefined };

export type LoadFormat = 'csv' | 'ndjson' | 'parquet';
const MEDIA_TYPES: Record<LoadFormat, string> = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
};

type CsvField =
  | 'detect'
  | 'delimiter'
  | 'quote'
  | 'header'
  | 'null_text'
  | 'decimal_separator'
  | 'date_format'
  | 'timestamp_format'
  | 'encoding';

/** How a CSV file is written. What is not set is as in RFC 4180, in UTF-8 with a header row; with `detect`, it is detected. */
export type CsvOptions = Pick<BodyOf<'uploads.finish'>, CsvField>;

/** A file that the service reads itself, from a URL that its operator allows. */
export interface RemoteFile {
  url: string;
}

const isRemote = (body: object | string): body is RemoteFile =>
  typeof body === 'object' && 'url' in body && Object.keys(body).length === 1;

export interface LoadOptions extends CallOptions, BreakGlass {
  format: LoadFormat;
  csv?: CsvOptions | undefined;
  /** Default `abort`. `skip` leaves out lines that can't be loaded: `client.writes.rejected` returns them. */
  onError?: 'abort' | 'skip' | undefined;
  /** For `skip`: how many lines may be left out before the load fails (default: 1000). */
  maxErrors?: number | undefined;
  /** Default `append`. `merge` updates the rows with the same `key` and appends the others. */
  mode?: LoadMode | undefined;
  /** For `merge`: the columns that identify a row (default: the identifier fields of the table). */
  key?: string[] | undefined;
  /** Stored with the write: the progress of an incremental load. */
  watermark?: string | undefined;
  /**
   * Recognizes a large file in a later call, which then sends only the parts that are missing: for example its path, size and time
   * of change. At most 256 characters.
   */
  fingerprint?: string | undefined;
}

export interface CloneOptions extends CallOptions, BreakGlass {
  /** Called about once a second with the current record of the query, until it has finished. */
  onProgress?: ((query: Query) => void) | undefined;
}

/** The name of a table in a statement. */
const quoted = (table: string): string =>
  table
    .split('.')
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.');

function partsOf(options: LoadOptions) {
  const { call, rest } = split(options);
  const { format, mode, key, watermark, fingerprint, csv, onError, maxErrors } = rest;
  return { call, format, fingerprint, csv, fields: { mode, key, watermark, on_error: onError, max_errors: maxErrors } };
}

/** Options as parameters of a query, which are texts. */
const queryOf = (csv: CsvOptions = {}) => ({
  ...csv,
  ...(csv.detect === undefined ? {} : { detect: String(csv.detect) }),
  ...(csv.header === undefined ? {} : { header: String(csv.header) }),
});

/** Tables, views and artifacts; `table` is `<namespace>.<table>`, the namespace dotted. */
export class Tables extends GeneratedTables {
  /** Creates a managed table from `columns`, or an external one from `location` and `format`. */
  create(
    env: string,
    table: string,
    options: CallOptions & BreakGlass & Omit<BodyOf<'tables.create'>, 'name'>,
  ): Promise<CreatedTable> {
    const { name, ...params } = tableParams(env, table);
    const { call, rest } = split(options);
    const body = { name, ...(rest as Omit<BodyOf<'tables.create'>, 'name'>) };
    return this.call.request('tables.create', { ...call, params, body });
  }

  /**
   * Infers the columns of a table for a file. The start of a CSV or NDJSON file is enough, up to 64 MB; of a Parquet file send the
   * end, which has its footer.
   */
  infer(
    env: string,
    namespace: string,
    body: UploadBody | RemoteFile,
    options: CallOptions & { format: LoadFormat; csv?: CsvOptions | undefined },
  ): Promise<AnswerOf<'tables.infer'>> {
    const { format, csv, ...call } = options;
    const params = { env, path: namespace };
    const url = isRemote(body) ? body.url : undefined;
    const rows = isRemote(body) ? '' : body;
    const request = { ...call, params, query: { ...queryOf(csv), url }, body: rows, contentType: MEDIA_TYPES[format] };
    return this.call.request('tables.infer', request);
  }

  /**
   * Creates a managed table with the current rows of another one, in its own files, which the storage copies. Returns its query once it
   * has finished. Aborting cancels it.
   * @throws WorkFailed if it fails or is cancelled
   */
  async clone(env: string, source: string, target: string, options: CloneOptions = {}): Promise<Query> {
    // A name without a namespace is an error here, not in the statement.
    for (const table of [source, target]) tableParams(env, table);
    const sql = `CREATE TABLE ${quoted(target)} CLONE ${quoted(source)}`;
    return (await new Queries(this.call).run(env, sql, options)).query;
  }

  /**
   * Uploads rows and returns the queued write: `client.writes.wait` waits for it. If the connection breaks, a body that can be
   * read again (a text, bytes, a file, or a function that opens the stream) is resent; a bare stream isn't. A file of more than
   * 64 MB is sent in parts, and only the part whose connection broke is resent. With `{ url }`, the service reads the file itself.
   */
  load(env: string, table: string, body: UploadBody | UploadFile | RemoteFile, options: LoadOptions): Promise<Write> {
    const { call, format, fingerprint, fields, csv } = partsOf(options);
    if (!isRemote(body) && isFile(body) && isSentInParts(body)) {
      const { size } = body;
      const file = { size, slice: (start: number, end: number) => body.slice(start, end), fingerprint };
      return this.#uploadInParts([file], { env, table, format, finish: { ...fields, ...csv }, call });
    }
    return this.call.request('writes.create', {
      ...call,
      params: tableParams(env, table),
      query: { ...fields, ...queryOf(csv), url: isRemote(body) ? body.url : undefined },
      body: isRemote(body) ? '' : isFile(body) ? () => body.slice(0, body.size).stream() : body,
      contentType: MEDIA_TYPES[format],
    });
  }

  /**
   * Uploads several files and loads them in one write: all of their rows, or none. Errors name the file. If the connection breaks,
   * a later call with the same fingerprints sends only the parts that are missing.
   */
  async loadFiles(env: string, table: string, files: readonly NamedFile[], options: LoadOptions): Promise<Write> {
    if (files.length === 0) throw new TypeError('loadFiles needs at least one file');
    const { call, format, fields, csv } = partsOf(options);
    return this.#uploadInParts(files, { env, table, format, finish: { ...fields, ...csv }, call });
  }

  #uploadInParts(files: readonly NamedFile[], load: Omit<FileLoad, 'newHash'>): Promise<Write> {
    return uploadInParts(new Uploads(this.call), files, { ...load, newHash: this.call.parts.newHash });
  }

  /** Sets days without activity, a fixed day, or never. @throws TypeError unless exactly one is set */
  setRetention(env: string, table: string, rule: RetentionRule, options: CallOptions = {}): Promise<TableRetention> {
    const { days, on, never } = rule;
    const rules = [days, on, never].filter((value) => value !== undefined);
    if (rules.length !== 1) throw new TypeError('setRetention takes exactly one of days, on and never');
    const day = on instanceof Date ? on.toISOString().slice(0, 10) : on;
    const body = days !== undefined ? { days } : day !== undefined ? { on: day } : { never: true as const };
    return this.call.request('retention.set', { ...options, params: tableParams(env, table), body });
  }

  /** Streams the file of an artifact. */
  download(env: string, table: string, options: CallOptions = {}): Promise<AsyncIterable<Uint8Array>> {
    return this.call.stream('tables.content', { ...options, params: tableParams(env, table) });
  }
}
