import { SessionError } from './session-error.ts';

/** What a cancel request, a timeout or the end of the connection stops. */
export interface Cancellable {
  /** @param reason the error of the statement (default: a request of the user) */
  readonly cancel: (reason?: SessionError) => void;
}

export const BY_USER = new SessionError('57014', 'canceling statement due to user request');
export const BY_TIMEOUT = new SessionError('57014', 'canceling statement due to statement timeout');

/** Starts the time that a statement may take. The returned function stops it. */
export function limitTime(statement: Cancellable, timeoutMs: number | null): () => void {
  if (timeoutMs === null) return () => undefined;
  const timer = setTimeout(() => statement.cancel(BY_TIMEOUT), timeoutMs);
  return () => clearTimeout(timer);
}

/** A request that stops when it is cancelled. */
export class CancellableRequest implements Cancellable {
  private readonly abort = new AbortController();
  private reason: SessionError | null = null;

  cancel(reason = BY_USER): void {
    this.reason ??= reason;
    this.abort.abort();
  }

  /** @throws SessionError once it is cancelled */
  async send<T>(request: (signal: AbortSignal) => Promise<T>, timeoutMs: number | null): Promise<T> {
    const stopTimer = limitTime(this, timeoutMs);
    try {
      return await request(this.abort.signal);
    } catch (error) {
      throw this.reason ?? error;
    } finally {
      stopTimer();
    }
  }
}
