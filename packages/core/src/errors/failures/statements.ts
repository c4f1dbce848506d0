import type { FailureDefinition } from './definition.ts';

/** Failures of SQL statements: queries, SQL assets and their checks. */
export const STATEMENT_FAILURES = {
  'parse-error': {
    of: 'queries, tasks',
    cause: "The statement can't be parsed.",
    remedy: 'Correct it at the position in the message.',
  },
  'wrong-parameters': {
    of: 'queries',
    cause: 'A parameter of the statement has no value, or a value has no parameter.',
    remedy: 'Set `params` to a list for `?` and `$1`, or to an object for `$name`.',
  },
  'not-a-select': {
    of: 'queries, tasks',
    cause: "The text isn't a single SELECT.",
    remedy:
      'Submit one SELECT, INSERT, UPDATE, DELETE, MERGE, TRUNCATE or CREATE TABLE … CLONE. Other changes have their own commands.',
  },
  'ambiguous-change': {
    of: 'queries',
    cause: 'An UPDATE or MERGE found several rows with new values for the same row of the table.',
    remedy: 'Make sure that at most one row matches: for example, group the source by the columns of the condition.',
  },
  'function-not-allowed': {
    of: 'queries, tasks',
    cause: 'The statement calls a function that could reach files, the network or the engine itself.',
    remedy: 'Leave it out. Load files with `svc table load`, or read them as an external table.',
  },
  'not-supported': {
    of: 'queries, tasks, maintenance',
    cause: "The statement, the table's format or the kind of the table doesn't allow this.",
    remedy: 'Change what the message names.',
  },
  'table-not-found': {
    of: 'queries, tasks',
    cause: "A table doesn't exist, or the principal doesn't have READ_TABLE on it: svc answers both alike.",
    remedy: 'Check the name with `svc table list`, then run `svc access explain`.',
  },
  'version-not-found': {
    of: 'queries, tasks',
    cause: "The statement reads a version of a table that doesn't exist, or that can't be read here.",
    remedy: 'List the versions with `svc table history`.',
  },
  'policy-invalid': {
    of: 'queries, tasks',
    cause: 'A row filter or column mask no longer fits the table.',
    remedy: 'A user with MANAGE_POLICY deletes it and creates it again.',
  },
  'view-invalid': {
    of: 'queries, tasks',
    cause: 'The statement of a view that it reads no longer works.',
    remedy: "Correct the view's asset and build it again, or replace the view.",
  },
  'binder-error': {
    of: 'queries, tasks',
    cause: "A name or a type in the statement doesn't match the tables.",
    remedy: 'Correct what the message names; it suggests similar names.',
  },
  'column-mismatch': {
    of: 'queries, tasks',
    cause: "The columns of the result don't match those of the table that it is written to.",
    remedy: "Name the result's columns like those of the table, with types that convert to theirs.",
  },
  'null-not-allowed': {
    of: 'queries, writes, tasks',
    cause: 'A column that must not be null got a null.',
    remedy: 'Fill the value, or make the column nullable.',
  },
  'execution-error': {
    of: 'queries, writes, tasks, maintenance',
    cause:
      'The engine failed on a value or a file, for example on a text that should be a number, or on a missing file.',
    remedy: 'Correct the statement or the data as the message says, then start it again.',
  },
  timeout: {
    of: 'queries, tasks, deploys',
    cause:
      "It ran longer than its limit: `SVC_QUERY__TIMEOUT_SECONDS` for a query, the task's `timeout_seconds` for a task.",
    remedy: 'Read less data, write intermediate results with `--into`, or raise the limit.',
  },
  'out-of-memory': {
    of: 'queries, writes, tasks, maintenance, deploys',
    cause: 'The engine needed more than `SVC_QUERY__MEMORY_LIMIT`.',
    remedy:
      'Select fewer columns, filter earlier, write intermediate results with `--into`, or have the operator raise the limit.',
  },
  'disk-full': {
    of: 'queries, writes, tasks, maintenance',
    cause: 'The disk of the worker, or `SVC_QUERY__TEMP_LIMIT`, has no space left for intermediate results.',
    remedy: 'Read less data at a time, or have the operator free space or raise the limit.',
  },
  'engine-died': {
    of: 'queries, writes, tasks, maintenance, deploys',
    cause: 'The process of the query engine stopped unexpectedly.',
    remedy: 'Start it again. If it happens again, the operator finds the cause in the log of the worker.',
  },
  'engine-unavailable': {
    of: 'queries, tasks',
    cause: "The external engine can't be reached, is overloaded, or stopped the statement.",
    remedy: 'Start it again later, or ask the operator of the engine.',
  },
} satisfies Record<string, FailureDefinition>;
