import type { FailureDefinition } from './definition.ts';

/** Failures of loads, and of everything that commits to a table. */
export const WRITE_FAILURES = {
  'file-malformed': {
    of: 'writes, tasks',
    cause: "The file isn't valid CSV, NDJSON or Parquet.",
    remedy: 'Correct the file at the line in the message and load it again.',
  },
  'unknown-column': {
    of: 'writes, tasks',
    cause: "The file has a column that the table doesn't have.",
    remedy: 'Rename or remove it in the file, or add it to the table.',
  },
  'missing-column': {
    of: 'writes, tasks',
    cause: 'The file lacks a column that must not be null.',
    remedy: 'Add the column to the file.',
  },
  'wrong-type': {
    of: 'writes, tasks',
    cause: "A Parquet column has a type that doesn't convert to the table's.",
    remedy: "Write the file with the table's type.",
  },
  'wrong-value': {
    of: 'writes, tasks',
    cause: "A value doesn't fit its column, or would lose precision.",
    remedy: 'Correct the value; the message names line and column.',
  },
  'too-many-rejected-lines': {
    of: 'writes',
    cause: "More lines can't be loaded than the load may leave out. Nothing was loaded.",
    remedy: 'Correct the file, or raise `max_errors`.',
  },
  'write-conflict': {
    of: 'queries, writes, tasks, maintenance',
    cause: 'Other commits changed the table each time. Nothing was written.',
    remedy: 'Start it again when fewer writes are running.',
  },
  'not-found': {
    of: 'queries, writes, tasks, maintenance',
    cause: 'The table or the namespace was dropped before it could be written.',
    remedy: 'Restore it with `svc table undrop`, or create it again.',
  },
  'already-exists': {
    of: 'queries, tasks',
    cause: 'Somebody else created a table of this name at the same time.',
    remedy: 'Start it again, or choose another name.',
  },
} satisfies Record<string, FailureDefinition>;
