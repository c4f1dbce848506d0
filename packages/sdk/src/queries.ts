import { WorkFailed } from './errors.ts';
import { Queries as GeneratedQueries } from './generated/queries.ts';
import { type Parameters, sentParameters } from './parameters.ts';
import type { IntoMode, Query, ResultPage, SubmittedQuery } from './records.ts';
import type { BreakGlass, CallOptions } from './request.ts';
import { type Row, RunningQuery } from './running-query.ts';
import { split } from './split.ts';

export interface SubmitOptions extends CallOptions, BreakGlass {
  /**
   * Values of the statement's parameters: a list for `?` and `$1`, an object for `$name`. A Date is a `timestamptz`, bytes are `binary`; a
   * value of another type than TypeScript has is written as `{ type: 'decimal(10,2)', value: '1.50' }`.
   */
  params?: Parameters | undefined;
  /** Table for the result, `<namespace>.<table>`. */
  into?: string | undefined;
  mode?: IntoMode | undefined;
  /** Days of inactivity after which the created table is dropped. */
  expire_after?: number | undefined;
  /** True: count the rows that INSERT, UPDATE, DELETE, MERGE or TRUNCATE would change, and change none. */
  dry_run?: boolean | undefined;
  /** False: run the query even if its result is cached. */
  cache?: boolean | undefined;
}

export interface RunOptions extends SubmitOptions {
  /** Timeout of the whole wait in milliseconds (default: none). */
  waitTimeout?: number | undefined;
  /** Called about once a second with the current record, until it has finished. */
  onProgress?: ((query: Query) => void) | undefined;
}

/** Default page size of results. */
const RESULT_PAGE = 10_000;
/** Timeout for cancelling the query of an aborted call. */
const CANCEL_MS = 5000;

/** SQL queries. */
export class Queries extends GeneratedQueries {
  /**
   * Submits a query and returns immediately. With `wait` (0 to 60 seconds), returns as soon as it has finished, with the first
   * page of its result. Aborting cancels the query.
   */
  async submit(
    env: string,
    sql: string,
    options: SubmitOptions & { wait?: number | undefined } = {},
  ): Promise<SubmittedQuery> {
    const { wait, ...submitted } = options;
    const { call, rest } = split(submitted);
    const query = wait === undefined ? {} : { query: { wait } };
    const { params, ...others } = rest;
    const fields = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
    const bound = params === undefined ? {} : { params: sentParameters(params) };
    call.signal?.throwIfAborted();
    const idempotencyKey = call.idempotencyKey ?? this.call.parts.newKey();
    const request = { ...call, idempotencyKey, params: { env }, body: { sql, ...fields, ...bound } };
    try {
      return await this.call.request('queries.create', { ...request, ...query });
    } catch (error) {
      // The same key finds the query that the aborted request may have submitted.
      const again = (signal: AbortSignal) => this.call.request('queries.create', { ...request, signal });
      if (call.signal?.aborted) await this.#cancelAborted(env, async (signal) => (await again(signal)).id);
      throw error;
    }
  }

  /** Cancels the query of an aborted call. The caller gets the abort, whether cancelling succeeds or not. */
  async #cancelAborted(env: string, find: (signal: AbortSignal) => Promise<string>): Promise<void> {
    const signal = AbortSignal.timeout(CANCEL_MS);
    try {
      await this.cancel(env, await find(signal), { signal });
    } catch {
      // It has finished, or the service is unreachable.
    }
  }

  /**
   * Submits a query, waits for it and reads all rows into memory: as objects if you await it, as a table of Arrow with
   * `.toArrow()`. With `into`, or for a statement that changes rows, it returns no rows. For large results use `submit`, `wait`, `iterRows`. Aborting cancels the query.
   * @typeParam T the type of a row, which nothing checks
   * @throws WorkFailed if it fails or is cancelled
   */
  run<T = Row>(env: string, sql: string, options: RunOptions = {}): RunningQuery<T> {
    const { signal } = options;
    return new RunningQuery<T>(this.#finish(env, sql, options), {
      rows: async ({ id, into }) => {
        const rows: T[] = [];
        if (into === null) for await (const row of this.iterRows(env, id, { signal })) rows.push(row as T);
        return rows;
      },
      arrow: ({ id }) => this.download(env, id, 'arrow', { signal }),
    });
  }

  /** @throws WorkFailed unless the query succeeds */
  async #finish(env: string, sql: string, options: RunOptions): Promise<Query> {
    const { waitTimeout, onProgress, ...rest } = options;
    const { id } = await this.submit(env, sql, rest);
    const watch = { signal: options.signal, timeout: waitTimeout, onProgress };
    const query = await this.wait(env, id, watch).catch(async (error) => {
      if (options.signal?.aborted) await this.#cancelAborted(env, async () => id);
      throw error;
    });
    if (query.status !== 'SUCCEEDED') throw failedQuery(query);
    return query;
  }

  /** Returns one page of the result; `limit` is 1 to 10,000. Values that JSON can't hold exactly are strings, binary is base64. */
  results(
    env: string,
    id: string,
    options: CallOptions & { limit?: number | undefined; cursor?: string | undefined } = {},
  ): Promise<ResultPage> {
    const { call, rest } = split(options);
    return this.call.request('queries.results', { ...call, params: { env, id }, query: { ...rest, format: 'json' } });
  }

  /** Iterates over the rows of a query that has succeeded, page by page. */
  async *iterRows(env: string, id: string, options: CallOptions = {}): AsyncGenerator<Row, void, undefined> {
    let cursor: string | null = null;
    do {
      const at: { cursor?: string } = cursor === null ? {} : { cursor };
      const page: ResultPage = await this.results(env, id, { ...options, ...at, limit: RESULT_PAGE });
      const names = page.columns.map((column) => column.name);
      for (const row of page.rows) yield Object.fromEntries(names.map((name, i) => [name, row[i]]));
      cursor = page.next_cursor;
    } while (cursor !== null);
  }

  /**
   * Streams the whole result: CSV with one header row, Parquet, or Arrow (an IPC stream). In CSV, text that a spreadsheet would
   * run as a formula has a `'` before it, unless `raw` is set.
   */
  download(
    env: string,
    id: string,
    format: 'csv' | 'parquet' | 'arrow',
    options: CallOptions & { raw?: boolean | undefined } = {},
  ): Promise<AsyncIterable<Uint8Array>> {
    const { call, rest } = split(options);
    return this.call.stream('queries.results', { ...call, params: { env, id }, query: { ...rest, format } });
  }
}

function failedQuery(query: Query): WorkFailed<Query> {
  const text = query.error?.detail ?? `The query ${query.id} was cancelled.`;
  return new WorkFailed(text, query, {
    code: query.error?.code ?? 'cancelled',
    remedy: query.error?.remedy ?? undefined,
  });
}
