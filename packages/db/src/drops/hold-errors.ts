import { ApiError } from '@svc/core/errors';
import { Prisma } from '../generated/client.ts';

/** Matches a table `t` that is under a legal hold at `now`. */
export const hasLegalHoldSql = (now: Date): Prisma.Sql =>
  Prisma.sql`(t.held_at IS NOT NULL AND (t.hold_until IS NULL OR t.hold_until > ${now}::timestamptz))`;

/** A 409 response: a legal hold forbids an operation that would delete files. */
export function legalHoldError(
  { environment, table }: { environment: string; table: string },
  action: string,
): ApiError {
  return new ApiError(
    'table-held',
    `${table} is under a legal hold: ${action} would delete its files. Drop it without purge, or release the hold first.`,
    { remedy: `svc table release ${table} --env ${environment}` },
  );
}
