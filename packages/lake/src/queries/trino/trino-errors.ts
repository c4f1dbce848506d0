import type { QueryError } from '../query-errors.ts';
import type { TrinoErrorInfo } from './statement-client.ts';

/** What each fault means to who asked; Trino's own text names tables and values, and speaks of a statement rewritten. */
const FAULTS: Readonly<Record<string, QueryError>> = {
  DIVISION_BY_ZERO: { code: 'execution-error', message: 'The query divides by zero.' },
  NUMERIC_VALUE_OUT_OF_RANGE: { code: 'execution-error', message: 'A number of the query is out of its range.' },
  INVALID_CAST_ARGUMENT: {
    code: 'execution-error',
    message: 'A value cannot be converted to the type that the query asks for, or is out of its range.',
  },
  INVALID_FUNCTION_ARGUMENT: {
    code: 'execution-error',
    message: 'A function of the query cannot work with a value it is given.',
  },
  SUBQUERY_MULTIPLE_ROWS: {
    code: 'execution-error',
    message: 'More than one row was returned by a subquery used as an expression.',
  },
  EXCEEDED_TIME_LIMIT: {
    code: 'timeout',
    message: 'The query took longer than it may. Ask for less, or ask the operator for a longer time limit.',
  },
  EXCEEDED_CPU_LIMIT: {
    code: 'timeout',
    message: 'The query took more processor time than Trino allows. Ask for less.',
  },
  EXCEEDED_SCAN_LIMIT: { code: 'execution-error', message: 'The query reads more than Trino allows. Ask for less.' },
  QUERY_TEXT_TOO_LARGE: {
    code: 'not-supported',
    message: 'Written out for Trino the query is longer than Trino takes. Split it.',
  },
  QUERY_HAS_TOO_MANY_STAGES: { code: 'not-supported', message: 'The query has more parts than Trino takes. Split it.' },
  QUERY_QUEUE_FULL: { code: 'engine-unavailable', message: 'Trino has too many queries waiting. Try again later.' },
  USER_CANCELED: { code: 'engine-unavailable', message: 'Whoever operates Trino ended the query.' },
  ADMINISTRATIVELY_KILLED: { code: 'engine-unavailable', message: 'Whoever operates Trino ended the query.' },
  ADMINISTRATIVELY_PREEMPTED: {
    code: 'engine-unavailable',
    message: 'Trino ended the query in favour of others. Try again later.',
  },
  CLUSTER_OUT_OF_MEMORY: { code: 'out-of-memory', message: 'Trino ran out of memory. Ask for less at once.' },
};

const CATALOG = /^(CATALOG|SCHEMA|TABLE|COLUMN)_NOT_FOUND$|^PERMISSION_DENIED$|^MISSING_CATALOG_NAME$/;
const SNAPSHOT = /^(INVALID_ARGUMENTS|ICEBERG_MISSING_METADATA|ICEBERG_CANNOT_OPEN_SPLIT)$/;

/** A failed statement in words for the person who sent it. Nothing of the data and of hidden names is in them. */
export function trinoError({ name, type }: TrinoErrorInfo): QueryError {
  const known = Object.hasOwn(FAULTS, name) ? FAULTS[name] : undefined;
  if (known !== undefined) return known;
  if (/MEMORY/.test(name))
    return {
      code: 'out-of-memory',
      message: 'The query needed more memory than Trino gives it. Ask for less at once.',
    };
  if (CATALOG.test(name)) {
    return {
      code: 'engine-unavailable',
      message:
        'Trino does not find a table of this query. Ask the operator whether its catalog of this environment reads from this service, with the right to read every table.',
    };
  }
  if (SNAPSHOT.test(name)) {
    return {
      code: 'execution-error',
      message:
        'Trino could not read a table as it stood when the query began: its old snapshots were removed, or its catalog reads from elsewhere. Run it again.',
    };
  }
  const word = /^[A-Z][A-Z0-9_]{0,60}$/.test(name) ? name : 'unknown';
  if (type === 'USER_ERROR') return { code: 'not-supported', message: `Trino refused the query (${word}).` };
  return {
    code: 'engine-unavailable',
    message: `Trino failed to run the query (${word}). Try again; if it happens again, ask the operator for Trino's log.`,
  };
}
