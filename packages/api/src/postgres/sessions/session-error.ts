import type { Report } from '../wire/server-message.ts';

/** A statement fails: the client gets the error, and the session continues, unless the severity is FATAL. */
export class SessionError extends Error {
  readonly report: Report;

  constructor(code: string, message: string, more: Partial<Omit<Report, 'code' | 'message'>> = {}) {
    super(message);
    this.name = 'SessionError';
    this.report = { severity: 'ERROR', code, message, ...more };
  }
}

/** The codes for a statement that the engine doesn't accept, or that has a form of PostgreSQL without an equivalent. */
const REJECTIONS: ReadonlySet<string> = new Set(['22000', '42601', '42703', '0A000']);

/** Whether the engine doesn't accept a statement, perhaps only with the types that its parameters have. */
export const isRejection = (error: unknown): boolean =>
  error instanceof SessionError && REJECTIONS.has(error.report.code);

export const fatal = (code: string, message: string, hint?: string): SessionError =>
  new SessionError(code, message, { severity: 'FATAL', hint });

export const unsupported = (message: string, hint?: string): SessionError =>
  new SessionError('0A000', message, { hint });
