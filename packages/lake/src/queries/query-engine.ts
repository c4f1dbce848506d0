import type { QueryOutcome, QueryRequest } from './run-query.ts';

/** Runs the statements of `svc sql`. Both kinds guard, plan and write results the same way; see decision 25. */
export interface QueryEngine {
  readonly name: 'duckdb' | 'trino';
  /** Returns every failure of the statement as a value. */
  readonly run: (request: QueryRequest) => Promise<QueryOutcome>;
}
