import { ApiError } from '@svc/core/errors';
import { Prisma } from '../generated/client.ts';

/** Matches a table `t` that is under a legal hold at `now`. */
export const hasLegalHoldSql = (now: Date): Prisma.Sql =>
  Prisma.sql`(t.held_at IS NOT NULL AND (t.hold_until IS NULL OR t.hold_until > ${now}::timestamptz))`;

/** A 409 response: a legal hold forbids an operation that would delete files. `instead` says what to do. */
export function legalHoldError(
  { environment, table, droppedId = null }: { environment: string; table: string; droppedId?: string | null },
  action: string,
  instead = droppedId === null ? 'Drop it without purge, or release the hold first.' : 'Release the hold first.',
): ApiError {
  const what = droppedId === null ? table : `The dropped table ${table}`;
  // The name alone may mean a later table.
  const id = droppedId === null ? '' : ` --id ${droppedId}`;
  return new ApiError('table-held', `${what} is under a legal hold: ${action} would delete its files. ${instead}`, {
    remedy: `svc table release ${table}${id} --env ${environment}`,
  });
}
