import type { openQuery } from './open-query.ts';
import type { OpenRequest, QueryOutcome, QueryRequest } from './query-request.ts';

/** Runs SQL statements. Both kinds guard, plan and write results the same way; see decision 25. */
export interface QueryEngine {
  readonly name: 'duckdb' | 'trino';
  /** Returns every failure of the statement as a value. */
  readonly run: (request: QueryRequest) => Promise<QueryOutcome>;
  /** Prepares a query whose columns decide where its rows are written. */
  readonly open: (request: OpenRequest) => ReturnType<typeof openQuery>;
}
