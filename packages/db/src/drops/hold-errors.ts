import { shellCommand, shellOption } from '@svc/core/command-lines';
import { ApiError } from '@svc/core/errors';
import { Prisma } from '../generated/client.ts';

/** Matches a table `t` that is under a legal hold at `now`. */
export const hasLegalHoldSql = (now: Date): Prisma.Sql =>
  Prisma.sql`(t.held_at IS NOT NULL AND (t.hold_until IS NULL OR t.hold_until > ${now}::timestamptz))`;

/** A table in an environment; `droppedId` for a dropped one, because its name alone may mean a later table. */
interface NamedTable {
  readonly environment: string;
  readonly table: string;
  readonly droppedId?: string | null;
}

export const releaseCommand = ({ environment, table, droppedId = null }: NamedTable): string =>
  shellCommand('svc table release', table, [
    ...(droppedId === null ? [] : [shellOption('id', droppedId)]),
    shellOption('env', environment),
  ]);

/** A 409 response: a legal hold forbids an operation that would delete files. `instead` says what to do. */
export function legalHoldError(
  named: NamedTable,
  action: string,
  instead = named.droppedId == null ? 'Drop it without purge, or release the hold first.' : 'Release the hold first.',
): ApiError {
  const what = named.droppedId == null ? named.table : `The dropped table ${named.table}`;
  return new ApiError('table-held', `${what} is under a legal hold: ${action} would delete its files. ${instead}`, {
    remedy: releaseCommand(named),
  });
}
