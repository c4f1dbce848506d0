import type { OpenRequest, openQuery, QueryOutcome, QueryRequest } from './run-query.ts';

/** Runs SQL statements. Both kinds guard, plan and write results the same way; see decision 25. */
export interface QueryEngine {
  readonly name: 'duckdb' | 'trino';
  /** Returns every failure of the statement as a value. */
  readonly run: (request: QueryRequest) => Promise<QueryOutcome>;
  /** Prepares a query whose columns decide where its rows are written. */
  readonly open: (request: OpenRequest) => ReturnType<typeof openQuery>;
}
