import type { Query, QueryOrigin, QueryParams, ResultPage, SubmittedQuery } from '@svc/core/queries';
import type { SessionRequest } from '../../http/request/session-request.ts';
import type { ServiceClient } from '../connections/service-client.ts';
import type { SignedIn } from '../connections/sign-in.ts';
import { type RowBatch, rowsOfArrow, rowsOfJson } from '../values/index.ts';
import { BY_USER, type Cancellable, limitTime } from './cancellation.ts';
import { errorOf } from './failures.ts';
import type { SessionError } from './session-error.ts';
import { verifyToken } from './verify-token.ts';
import { untilFinished, WAIT_SECONDS } from './wait-until-finished.ts';

export interface StatementRequest {
  readonly sql: string;
  readonly params: QueryParams | null;
  /** The table that gets the rows, if the statement creates one. */
  readonly into?: string;
}

/** What a statement runs with. */
export interface RunContext {
  readonly client: ServiceClient;
  readonly signedIn: SignedIn;
  readonly origin: QueryOrigin;
  readonly searchPath: readonly string[];
  readonly timeoutMs: number | null;
  /** Whether the service is stopping. */
  readonly isDraining: () => boolean;
}

/** The finished query, and its rows batch by batch. */
export interface StatementResult {
  readonly query: Query;
  readonly batches: AsyncIterator<RowBatch>;
}

/** Runs one statement as a query. It can be cancelled at any time. */
export class StatementRun implements Cancellable {
  private readonly context: RunContext;
  private readonly abort = new AbortController();
  private queryId: string | null = null;
  private cancelled: SessionError | null = null;

  constructor(context: RunContext) {
    this.context = context;
  }

  /** @throws SessionError, ServiceError */
  async run(request: StatementRequest): Promise<StatementResult> {
    const query = await this.finished(request, false);
    return { query, batches: this.batches(query) };
  }

  /** The rows of a result that fits one page, such as a plan. @throws SessionError, ServiceError */
  async firstRows(request: StatementRequest): Promise<ResultPage['rows']> {
    const query = await this.finished(request, false);
    return (await this.firstPage(query)).rows;
  }

  /** The columns of a query and the types of its parameters, without running it. @throws SessionError, ServiceError */
  describe(sql: string): Promise<Query> {
    return this.finished({ sql, params: null }, true);
  }

  /** Cancels the query, and stops reading its rows. */
  cancel(reason = BY_USER): void {
    if (this.cancelled !== null) return;
    this.cancelled = reason;
    this.abort.abort();
    if (this.queryId !== null) void this.cancelQuery(this.queryId);
  }

  /** The query may have finished. */
  private async cancelQuery(id: string): Promise<void> {
    const { client, signedIn } = this.context;
    await client.call(signedIn, 'POST', `${this.queries}/${id}/cancel`).catch(() => undefined);
  }

  private get queries(): string {
    return `/api/v1/environments/${encodeURIComponent(this.context.signedIn.environment)}/queries`;
  }

  private async finished({ sql, params, into }: StatementRequest, describe: boolean): Promise<SubmittedQuery> {
    const { timeoutMs } = this.context;
    const stopTimer = limitTime(this, timeoutMs);
    const body = { sql, ...(params !== null && { params }), ...(into !== undefined && { into }) };
    try {
      const query = await this.submit(body, describe);
      if (query.status === 'SUCCEEDED') return query;
      throw this.cancelled ?? errorOf(query.error!, sql);
    } finally {
      stopTimer();
    }
  }

  private async submit(body: object, describe: boolean): Promise<SubmittedQuery> {
    const { client, signedIn, origin, searchPath } = this.context;
    const session: SessionRequest = { origin, searchPath, describe, onStored: (id) => this.stored(id) };
    // The request itself isn't aborted: a query whose id is known is cancelled in the right way.
    const submitted = await client.call<SubmittedQuery>(signedIn, 'POST', `${this.queries}?wait=${WAIT_SECONDS}`, {
      body,
      session,
    });
    return untilFinished(submitted, { ...this.context, caller: signedIn }, `${this.queries}/${submitted.id}`);
  }

  private stored(id: string): void {
    this.queryId = id;
    if (this.cancelled !== null) void this.cancelQuery(id);
  }

  private resultsOf({ id }: Query): string {
    return `${this.queries}/${id}/results`;
  }

  private async firstPage(query: SubmittedQuery): Promise<ResultPage> {
    const { client, signedIn } = this.context;
    return query.result ?? client.call<ResultPage>(signedIn, 'GET', this.resultsOf(query));
  }

  private async *batches(query: SubmittedQuery): AsyncGenerator<RowBatch> {
    if (query.columns === null || query.into !== null) return;
    const { client, signedIn } = this.context;
    const first = await this.firstPage(query);
    if (first.next_cursor === null) {
      if (first.rows.length > 0) yield rowsOfJson(query.columns, first.rows);
      return;
    }
    const { signal } = this.abort;
    try {
      const stream = await client.stream(signedIn, `${this.resultsOf(query)}?format=arrow`, signal);
      signal.addEventListener('abort', () => stream.destroy(), { once: true });
      for await (const batch of rowsOfArrow(query.columns, stream)) {
        if (this.cancelled !== null) throw this.cancelled;
        yield batch;
      }
    } catch (error) {
      if (this.cancelled !== null) throw this.cancelled;
      // The service breaks off the response to a token that no longer works.
      await verifyToken(this.context);
      throw error;
    }
  }
}
