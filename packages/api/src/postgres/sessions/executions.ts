import type { Query } from '@svc/core/queries';
import type { Execution } from './portals.ts';

/** The execution of a statement that returns no rows. */
export const done = (tag: string, warnings: readonly string[] = []): Execution => ({
  columns: null,
  rows: null,
  run: null,
  tag: () => tag,
  warnings,
});

/** The tag of a statement that has changed rows or tables. */
export function changeTag(verb: string, { affected, row_count }: Query): string {
  switch (verb) {
    case 'INSERT':
      return `INSERT 0 ${affected?.inserted ?? row_count ?? 0}`;
    case 'UPDATE':
      return `UPDATE ${affected?.updated ?? 0}`;
    case 'DELETE':
      return `DELETE ${affected?.deleted ?? 0}`;
    case 'MERGE':
      return `MERGE ${row_count ?? 0}`;
    case 'TRUNCATE':
      return 'TRUNCATE TABLE';
    case 'CREATE TABLE AS':
      return `SELECT ${row_count ?? 0}`;
    default:
      return verb;
  }
}
