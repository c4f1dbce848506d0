import { isBound } from '@svc/lake/queries';
import { failure, failureOf } from '../work/failures.ts';
import { ChangeFailedError } from './change-work.ts';
import type { TableReader } from './reader.ts';

/** What someone can't do to a table without seeing all of its rows as they are. */
const USES = {
  change: { need: 'change or replace its rows', refusal: 'change its rows' },
  clone: { need: 'clone it', refusal: 'clone it' },
} as const;

/**
 * Rows that a filter hides, or values that a mask replaces, can't be rewritten or cloned by someone who doesn't see them.
 *
 * @param submitter the name of the principal, for the remedy
 * @throws ChangeFailedError
 */
export async function requireUnbound(
  reader: TableReader,
  { namespace, table }: { namespace: string; table: string },
  submitter: string,
  use: keyof typeof USES = 'change',
): Promise<void> {
  const full = `${namespace}.${table}`;
  const [relation] = await reader.resolveNamed([{ name: [...namespace.split('.'), table], version: null }]);
  if (relation === null || relation === undefined) {
    const message = `The table ${full} doesn't exist, or you don't have READ_TABLE on it, which you need to ${USES[use].need}.`;
    const requester = { name: submitter, refused: reader.refused };
    throw new ChangeFailedError(failureOf({ code: 'table-not-found', message, table: full }, requester));
  }
  if (relation.kind === 'refused' || !isBound(relation)) return;
  throw new ChangeFailedError(boundFailure(full, use));
}

export const boundFailure = (table: string, use: keyof typeof USES = 'change') =>
  failure(
    'not-allowed',
    `A row filter or column mask on ${table} applies to you, so you can't ${USES[use].refusal}: you don't see all of them as they are.`,
  );
