import type { QueryOutcome, QueryRequest } from './run-query.ts';

/** What runs the statements of `svc sql`. Both kinds guard, plan and write results alike; see decision 25. */
export interface QueryEngine {
  readonly name: 'duckdb' | 'trino';
  /** Every failure of the statement is a value. */
  readonly run: (request: QueryRequest) => Promise<QueryOutcome>;
}
