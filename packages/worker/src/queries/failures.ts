import type { Failure } from '@svc/core/errors';
import type { QueryError } from '@svc/lake/queries';

/** A statement's failure as its record keeps it. */
export function failureOf({ code, message }: QueryError): Failure {
  return { code, detail: message, remedy: null };
}

export const failure = (code: string, detail: string, remedy: string | null = null): Failure => ({
  code,
  detail,
  remedy,
});
