import { ApiError } from '@svc/core/errors';
import { Prisma } from '../generated/client.ts';

/** Matches a table `t` that is under a legal hold at `now`. */
export const hasLegalHoldSql = (now: Date): Prisma.Sql =>
  Prisma.sql`(t.held_at IS NOT NULL AND (t.hold_until IS NULL OR t.hold_until > ${now}::timestamptz))`;

/** A 409 response: a legal hold forbids an operation that would delete files. */
export function legalHoldError(
  { environment, table, droppedId = null }: { environment: string; table: string; droppedId?: string | null },
  action: string,
): ApiError {
  return new ApiError(
    'table-held',
    `${droppedId === null ? '' : 'The dropped table '}${table} is under a legal hold: ${action} would delete its files. ${droppedId === null ? 'Drop it without purge, or release' : 'Release'} the hold first.`,
    // The name alone may mean a later table.
    { remedy: `svc table release ${table}${droppedId === null ? '' : ` --id ${droppedId}`} --env ${environment}` },
  );
}
