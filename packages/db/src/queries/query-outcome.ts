import type { Failure } from '@svc/core/errors';
import type { AffectedRows } from '@svc/core/queries';
import type { NewEvent } from '../audit/index.ts';
import type { ResultColumn, StoredQuery } from './stored-query.ts';

export interface QueryResult {
  columns: ResultColumn[];
  /** Null if the statement was only described. */
  rowCount: number | null;
  /** All rows, if there are few. */
  firstRows: unknown[][] | null;
  /** The result file; null if `firstRows` contains the whole result. */
  location: string | null;
  expiresAt: Date | null;
  /** Whether it is the cached result of an earlier query (default: false). */
  isCached?: boolean;
  /** The rows that the statement changed, if it is one that changes rows. */
  affected?: AffectedRows;
  /** The types of the parameters, if the statement was only described. */
  parameterTypes?: readonly string[];
}

export type QueryStatusChange =
  | { status: 'succeeded'; result: QueryResult }
  | { status: 'failed' | 'cancelled'; error: Failure };

/** What is stored when a query finishes. */
export interface QueryCompletion {
  outcome: QueryStatusChange;
  submitterId: string;
  /** Ids of the tables that the query read. */
  tables: readonly string[];
  /** The event QUERY_COMPLETED. */
  event: NewEvent;
  now: Date;
}

/** The fields of a record that its outcome decides. */
export type OutcomeFields = Pick<
  StoredQuery,
  | 'status'
  | 'progress'
  | 'columns'
  | 'cached'
  | 'parameter_types'
  | 'affected'
  | 'row_count'
  | 'first_rows'
  | 'result_location'
  | 'result_expires_at'
  | 'error'
>;

export function outcomeFields(outcome: QueryStatusChange): OutcomeFields {
  const result = outcome.status === 'succeeded' ? outcome.result : null;
  return {
    status: outcome.status,
    progress: result === null ? null : 1,
    columns: result?.columns ?? null,
    cached: result?.isCached ?? false,
    parameter_types: result?.parameterTypes === undefined ? null : [...result.parameterTypes],
    affected: result?.affected ?? null,
    row_count: result?.rowCount == null ? null : BigInt(result.rowCount),
    first_rows: result?.firstRows ?? null,
    result_location: result?.location ?? null,
    result_expires_at: result?.expiresAt ?? null,
    error: outcome.status === 'succeeded' ? null : outcome.error,
  };
}
