import type { Failure } from '@svc/core/errors';
import { ServiceError } from '../connections/service-client.ts';
import { PgValueError } from '../values/index.ts';
import { ProtocolError } from '../wire/protocol-error.ts';
import type { Report } from '../wire/server-message.ts';
import { SessionError } from './session-error.ts';
import { sqlState } from './sqlstates.ts';

/** The error of a query that failed. */
export function errorOf({ code, detail, remedy }: Failure): SessionError {
  return new SessionError(sqlState(code), detail, { hint: remedy ?? undefined });
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
