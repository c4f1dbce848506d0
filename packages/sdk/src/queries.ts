import { WorkFailed } from './errors.ts';
import type { IntoMode, Query, ResultPage, SubmittedQuery } from './records.ts';
import type { BreakGlass, CallOptions, Page, Requester } from './request.ts';
import { split } from './split.ts';
import { untilEnded, type WaitOptions } from './wait.ts';

export interface SubmitOptions extends CallOptions, BreakGlass {
  /** `<namespace>.<table>` that takes the result. */
  into?: string | undefined;
  mode?: IntoMode | undefined;
  /** Days of inactivity after which the created table is dropped. */
  expire_after?: number | undefined;
}

/** A word or several; in any letter case. */
export interface QueryFilters extends CallOptions {
  include_ended?: boolean | undefined;
  status?: string | readonly string[] | undefined;
  submitter?: string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** A row by the names of its columns; of several columns of one name the last counts. */
export type Row = Record<string, unknown>;

export interface QueryResult {
  query: Query;
  rows: Row[];
}

/** Rows in a page of results where nothing else is asked for. */
const RESULT_PAGE = 10_000;
/** How long an aborted call takes at most to cancel its query. */
const CANCEL_MS = 5000;

export class Queries {
  readonly #call: Requester;

  constructor(call: Requester) {
    this.#call = call;
  }

  /**
   * Submits a query and answers at once. With `wait` (0 to 60 seconds) the answer comes as soon as it has ended, with the
   * first page of its result. An abort cancels the query.
   */
  async submit(
    env: string,
    sql: string,
    options: SubmitOptions & { wait?: number | undefined } = {},
  ): Promise<SubmittedQuery> {
    const { wait, ...others } = options;
    const { call, rest } = split(others);
    const query = wait === undefined ? {} : { query: { wait } };
    const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
    call.signal?.throwIfAborted();
    const idempotencyKey = call.idempotencyKey ?? this.#call.parts.newKey();
    const request = { ...call, idempotencyKey, params: { env }, body: { sql, ...given } };
    try {
      return await this.#call.request('queries.create', { ...request, ...query });
    } catch (error) {
      // The same key finds the query that the aborted request may have submitted.
      const again = (signal: AbortSignal) => this.#call.request('queries.create', { ...request, signal });
      if (call.signal?.aborted) await this.#giveUp(env, async (signal) => (await again(signal)).id);
      throw error;
    }
  }

  /** Cancels a query that nobody waits for any more. Whatever comes of it, the caller is told of the abort. */
  async #giveUp(env: string, find: (signal: AbortSignal) => Promise<string>): Promise<void> {
    const signal = AbortSignal.timeout(CANCEL_MS);
    try {
      await this.cancel(env, await find(signal), { signal });
    } catch {
      // It has ended, or the service is away.
    }
  }

  /**
   * Submits a query, waits for its end and reads all its rows into memory; with `into` there are none. For a large
   * result: `submit`, `wait`, `iterRows`. An abort cancels the query. @throws WorkFailed when it fails or is cancelled
   */
  async run(env: string, sql: string, options: SubmitOptions & { waitTimeout?: number } = {}): Promise<QueryResult> {
    const { waitTimeout, ...rest } = options;
    const { id } = await this.submit(env, sql, rest);
    const query = await this.wait(env, id, { signal: options.signal, timeout: waitTimeout }).catch(async (error) => {
      if (options.signal?.aborted) await this.#giveUp(env, async () => id);
      throw error;
    });
    if (query.status !== 'SUCCEEDED') throw failedQuery(query);
    const rows: Row[] = [];
    if (query.into === null) for await (const row of this.iterRows(env, id, { signal: options.signal })) rows.push(row);
    return { query, rows };
  }

  /** With `wait` (0 to 60 seconds) the answer comes as soon as the query has ended. */
  get(env: string, id: string, options: CallOptions & { wait?: number | undefined } = {}): Promise<Query> {
    const { call, rest } = split(options);
    return this.#call.request('queries.get', { ...call, params: { env, id }, query: rest });
  }

  /** The query once it has ended, however it ended. An abort ends the wait alone: the query goes on. */
  wait(env: string, id: string, options: WaitOptions<Query> = {}): Promise<Query> {
    return untilEnded(this.#call, 'query', (call) => this.get(env, id, call), options);
  }

  /** The first page of `listPage`. */
  async list(env: string, filters: QueryFilters = {}): Promise<Query[]> {
    return (await this.listPage(env, filters)).items;
  }

  /** Running, then queued, then (where asked for) those that ended in the last 24 hours (specification 4.3). */
  listPage(env: string, filters: QueryFilters = {}): Promise<Page<Query>> {
    const { call, rest } = split(filters);
    return this.#call.page('queries.list', { ...call, params: { env }, query: rest });
  }

  iter(env: string, filters: QueryFilters = {}): AsyncGenerator<Query, void, undefined> {
    const { call, rest } = split(filters);
    return this.#call.iterate('queries.list', { ...call, params: { env }, query: rest });
  }

  /** One page of the result; `limit` 1 to 10,000. What JSON cannot hold exactly is a text, binary is base64. */
  results(
    env: string,
    id: string,
    options: CallOptions & { limit?: number | undefined; cursor?: string | undefined } = {},
  ): Promise<ResultPage> {
    const { call, rest } = split(options);
    return this.#call.request('queries.results', { ...call, params: { env, id }, query: { ...rest, format: 'json' } });
  }

  /** The rows of a query that has succeeded, read page by page. */
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

  /** The whole result as it arrives: CSV with one header row, or Parquet. */
  download(
    env: string,
    id: string,
    format: 'csv' | 'parquet',
    options: CallOptions = {},
  ): Promise<AsyncIterable<Uint8Array>> {
    return this.#call.stream('queries.results', { ...options, params: { env, id }, query: { format } });
  }

  cancel(env: string, id: string, options: CallOptions = {}): Promise<Query> {
    return this.#call.request('queries.cancel', { ...options, params: { env, id } });
  }
}

function failedQuery(query: Query): WorkFailed<Query> {
  const text = query.error?.detail ?? `The query ${query.id} was cancelled.`;
  return new WorkFailed(text, query, {
    code: query.error?.code ?? 'cancelled',
    remedy: query.error?.remedy ?? undefined,
  });
}
