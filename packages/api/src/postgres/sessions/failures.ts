import type { Failure } from '@svc/core/errors';
import { errorPosition } from '@svc/core/sql-tokens';
import { ServiceError } from '../connections/service-client.ts';
import { PgValueError } from '../values/index.ts';
import { ProtocolError } from '../wire/protocol-error.ts';
import type { Report } from '../wire/server-message.ts';
import { SessionError } from './session-error.ts';
import { sqlState } from './sqlstates.ts';

/** The error of work that failed. @param sql the statement, if there is one */
export function errorOf({ code, detail, remedy }: Failure, sql?: string): SessionError {
  const position = sql === undefined ? undefined : errorPosition(sql, detail);
  return new SessionError(sqlState(code), detail, { hint: remedy ?? undefined, position });
}

/** The error as the client gets it, or null if the error is a defect of the service. */
export function reportOf(error: unknown): Report | null {
  if (error instanceof SessionError) return error.report;
  if (error instanceof ProtocolError) return { severity: 'FATAL', code: error.code, message: error.message };
  if (error instanceof PgValueError) return { severity: 'ERROR', code: error.sqlState, message: error.message };
  if (!(error instanceof ServiceError)) return null;
  const { code, message, remedy: hint } = error;
  // A token that no longer works ends its session (POSTGRES-11).
  const severity = code === 'not-signed-in' || code === 'environment-deleted' ? 'FATAL' : 'ERROR';
  return { severity, code: sqlState(code), message, hint };
}

export const INTERNAL_ERROR: Report = {
  severity: 'ERROR',
  code: 'XX000',
  message: 'The service failed. Its log has the cause.',
};
