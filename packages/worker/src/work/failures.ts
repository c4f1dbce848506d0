import { grantCommand, type ObjectScope } from '@svc/core/access';
import { ApiError, type Failure, type FailureCode } from '@svc/core/errors';
import type { QueryError } from '@svc/lake/queries';
import { storageFailure } from '@svc/lake/storage';

/** The reader, and what it was denied. */
export interface Requester {
  name: string;
  refused: ReadonlyMap<string, ObjectScope>;
}

/**
 * The failure stored for a statement. If the reader lacks READ_TABLE on a table, the remedy is the command that grants
 * it.
 */
export function failureOf({ code, message, table, remedy: own }: QueryError, reader?: Requester): Failure {
  const hidden = table === undefined ? undefined : reader?.refused.get(table);
  if (reader === undefined || hidden === undefined) return failure(code, message, own ?? null);
  const remedy = grantCommand(reader.name, 'READ_TABLE', hidden);
  return failure(code, `${message} An administrator can grant it: ${remedy}`, remedy);
}

export const failure = (code: FailureCode, detail: string, remedy: string | null = null): Failure => ({
  code,
  detail,
  remedy,
});

/**
 * The failure stored for a problem during the work, such as a namespace dropped in between.
 * @throws all other errors
 */
export function failureOfProblem(error: unknown): Failure {
  if (error instanceof ApiError) return failure(error.code, error.detail, error.remedy ?? null);
  return failureOfStorage(error);
}

/**
 * The failure stored for a storage error; each request was already retried.
 * @throws all other errors
 */
export function failureOfStorage(error: unknown): Failure {
  const storageReason = storageFailure(error);
  if (storageReason === null) throw error;
  return failure(storageReason.code, storageReason.detail);
}
