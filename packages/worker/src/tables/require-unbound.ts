import { isBound } from '@svc/lake/queries';
import { failure, failureOf } from '../work/failures.ts';
import { ChangeFailedError } from './change-work.ts';
import type { TableReader } from './reader.ts';

/**
 * Rows that a filter hides, or values that a mask replaces, can't be rewritten by someone who doesn't see them.
 *
 * @param submitter the name of the principal, for the remedy
 * @throws ChangeFailedError
 */
export async function requireUnbound(
  reader: TableReader,
  { namespace, table }: { namespace: string; table: string },
  submitter: string,
): Promise<void> {
  const full = `${namespace}.${table}`;
  const [relation] = await reader.resolveNamed([{ name: [...namespace.split('.'), table], version: null }]);
  if (relation === null || relation === undefined) {
    const message = `The table ${full} doesn't exist, or you don't have READ_TABLE on it, which you need to change or replace its rows.`;
    const requester = { name: submitter, refused: reader.refused };
    throw new ChangeFailedError(failureOf({ code: 'table-not-found', message, table: full }, requester));
  }
  if (relation.kind === 'refused' || !isBound(relation)) return;
  throw new ChangeFailedError(boundFailure(full));
}

export const boundFailure = (table: string) =>
  failure(
    'not-allowed',
    `A row filter or column mask on ${table} applies to you, so you can't change its rows: you don't see all of them as they are.`,
  );
