import { BOUND } from '@svc/core/policies';
import { isBound } from '@svc/lake/queries';
import { failure, failureOf } from '../work/failures.ts';
import { ChangeFailedError } from './change-work.ts';
import type { TableReader } from './reader.ts';

/** What someone can't do to a table without seeing all of its rows as they are. */
const USES = {
  change: { action: 'WRITE_TABLE', need: 'change or replace its rows', refusal: 'change its rows' },
  clone: { action: 'READ_TABLE', need: 'clone it', refusal: 'clone it' },
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
  throw await boundError(reader, { namespace, table }, use);
}

/** Records the denial, and returns the error for it. */
export async function boundError(
  reader: Pick<TableReader, 'deny'>,
  table: { namespace: string; table: string },
  use: keyof typeof USES = 'change',
): Promise<ChangeFailedError> {
  const { action, refusal } = USES[use];
  await reader.deny(action, table, BOUND);
  const full = `${table.namespace}.${table.table}`;
  const detail = `A row filter or column mask on ${full} applies to you, so you can't ${refusal}: you don't see all of them as they are.`;
  return new ChangeFailedError(failure('not-allowed', detail));
}
