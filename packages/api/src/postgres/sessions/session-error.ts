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

export const fatal = (code: string, message: string, hint?: string): SessionError =>
  new SessionError(code, message, { severity: 'FATAL', hint });

export const unsupported = (message: string, hint?: string): SessionError =>
  new SessionError('0A000', message, { hint });
