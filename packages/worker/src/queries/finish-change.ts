import type { AffectedRows } from '@svc/core/queries';
import { joinLocation } from '@svc/iceberg';
import type { QueryOutcome } from '@svc/lake/queries';
import { type failure, failureOf } from '../work/failures.ts';
import { finish, type QueryWork, requesterOf } from './finish-query.ts';

/** Ends a statement that changes rows without a change. */
export class ChangeFailedError extends Error {
  readonly failure: ReturnType<typeof failure>;

  constructor(of: ReturnType<typeof failure>) {
    super(of.detail);
    this.failure = of;
  }
}

/** The location of a file that only this claim uses. */
export const scratch = ({ deps, row, claim }: QueryWork, name: string): string =>
  joinLocation(deps.store.root, 'results', `${row.id}-${claim.fence}`, name);

/** @throws ChangeFailedError */
export function succeeded(work: QueryWork, outcome: QueryOutcome): Extract<QueryOutcome, { ok: true }> {
  if (outcome.ok) return outcome;
  throw new ChangeFailedError(failureOf(outcome.error, requesterOf(work)));
}

/** Finishes the query; `client` is the transaction that commits the change. */
export function finishChanged(
  work: QueryWork,
  affected: AffectedRows,
  client: Parameters<typeof finish>[3] = null,
): Promise<void> {
  const rowCount = affected.inserted + affected.updated + affected.deleted;
  const result = { columns: [], rowCount, firstRows: null, location: null, expiresAt: null, affected };
  return finish(work, { status: 'succeeded', result }, [...work.reader.tableIds], client);
}
