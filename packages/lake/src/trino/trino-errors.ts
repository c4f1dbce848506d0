import { childExitError, type QueryError } from '../queries/query-errors.ts';
import type { TrinoErrorInfo } from './statement-client.ts';

/** User-facing messages for Trino's errors. Trino's own messages may contain tables and values, and quote translated SQL. */
const SERVER_ERRORS: Readonly<Record<string, QueryError>> = {
  DIVISION_BY_ZERO: { code: 'execution-error', message: 'The query divides by zero.' },
  NUMERIC_VALUE_OUT_OF_RANGE: { code: 'execution-error', message: 'A number in the query is out of range.' },
  INVALID_CAST_ARGUMENT: {
    code: 'execution-error',
    message: "A value can't be converted to the type in the query, or is out of range.",
  },
  INVALID_FUNCTION_ARGUMENT: {
    code: 'execution-error',
    message: 'A function in the query received an invalid argument.',
  },
  SUBQUERY_MULTIPLE_ROWS: {
    code: 'execution-error',
    message: 'More than one row was returned by a subquery used as an expression.',
  },
  MERGE_TARGET_ROW_MULTIPLE_MATCHES: {
    code: 'ambiguous-change',
    message:
      "Several rows match the same row of the table, so its new values aren't clear. Make sure that at most one row matches: for example, group the source by the columns of the condition.",
  },
  EXCEEDED_TIME_LIMIT: childExitError('timeout'),
  EXCEEDED_CPU_LIMIT: {
    code: 'timeout',
    message: "The query exceeded Trino's CPU time limit. Query less data.",
  },
  EXCEEDED_SCAN_LIMIT: { code: 'execution-error', message: "The query exceeded Trino's scan limit. Query less data." },
  QUERY_TEXT_TOO_LARGE: {
    code: 'not-supported',
    message: "The query exceeds Trino's length limit after translation. Split it into several queries.",
  },
  QUERY_HAS_TOO_MANY_STAGES: {
    code: 'not-supported',
    message: 'The query has too many stages for Trino. Split it into several queries.',
  },
  QUERY_QUEUE_FULL: { code: 'engine-unavailable', message: 'Trino has too many queries waiting. Try again later.' },
  USER_CANCELED: { code: 'engine-unavailable', message: 'An administrator of Trino cancelled the query.' },
  ADMINISTRATIVELY_KILLED: { code: 'engine-unavailable', message: 'An administrator of Trino cancelled the query.' },
  ADMINISTRATIVELY_PREEMPTED: {
    code: 'engine-unavailable',
    message: 'Trino cancelled the query to make way for others. Try again later.',
  },
  CLUSTER_OUT_OF_MEMORY: { code: 'out-of-memory', message: 'Trino ran out of memory. Query less data at a time.' },
};

const CATALOG = /^(CATALOG|SCHEMA|TABLE|COLUMN)_NOT_FOUND$|^PERMISSION_DENIED$|^MISSING_CATALOG_NAME$/;
const SNAPSHOT = /^(INVALID_ARGUMENTS|ICEBERG_MISSING_METADATA|ICEBERG_CANNOT_OPEN_SPLIT)$/;

/** Converts a failed statement to an error for its submitter, without data or hidden names. */
export function trinoError({ name, type }: TrinoErrorInfo): QueryError {
  const known = Object.hasOwn(SERVER_ERRORS, name) ? SERVER_ERRORS[name] : undefined;
  if (known !== undefined) return known;
  if (/MEMORY/.test(name))
    return {
      code: 'out-of-memory',
      message: "The query exceeded Trino's memory limit. Query less data at a time.",
    };
  if (CATALOG.test(name)) {
    return {
      code: 'engine-unavailable',
      message:
        "Trino can't find a table of this query. The operator must check that Trino's catalog for this environment points to this service and that its principal can read every table.",
    };
  }
  if (SNAPSHOT.test(name)) {
    return {
      code: 'execution-error',
      message:
        "Trino couldn't read the version of a table from when the query started: its old snapshots expired, or Trino's catalog points to another service. Run the query again.",
    };
  }
  const word = /^[A-Z][A-Z0-9_]{0,60}$/.test(name) ? name : 'unknown';
  if (type === 'USER_ERROR') return { code: 'not-supported', message: `Trino rejected the query (${word}).` };
  return {
    code: 'engine-unavailable',
    message: `Trino failed to run the query (${word}). Try again; if it happens again, contact the operator, who can check Trino's log.`,
  };
}
