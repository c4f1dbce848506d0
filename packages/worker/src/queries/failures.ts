import { grantCommand, type ObjectScope } from '@svc/core/access';
import { type Failure, Problem } from '@svc/core/errors';
import type { QueryError } from '@svc/lake/queries';
import { storageTrouble } from '@svc/lake/storage';

/** Who reads, and what was refused to it. */
export interface Asker {
  name: string;
  refused: ReadonlyMap<string, ObjectScope>;
}

/** A statement's failure as its record keeps it; of a table the reader may not read, with the command that grants it. */
export function failureOf({ code, message, table }: QueryError, reader?: Asker): Failure {
  const hidden = table === undefined ? undefined : reader?.refused.get(table);
  if (reader === undefined || hidden === undefined) return { code, detail: message, remedy: null };
  const remedy = grantCommand(reader.name, 'READ_TABLE', hidden);
  return { code, detail: `${message} An administrator can grant it: ${remedy}`, remedy };
}

export const failure = (code: string, detail: string, remedy: string | null = null): Failure => ({
  code,
  detail,
  remedy,
});

/** A refusal met while work was done, such as of a namespace dropped meanwhile, as its record keeps it. @throws others */
export function failureOfProblem(error: unknown): Failure {
  if (error instanceof Problem) return failure(error.code, error.detail, error.remedy ?? null);
  return failureOfStorage(error);
}

/** What the storage refused, as the record of the work keeps it: each request was tried again already. @throws others */
export function failureOfStorage(error: unknown): Failure {
  const trouble = storageTrouble(error);
  if (trouble === null) throw error;
  return failure(trouble.code, trouble.detail);
}
