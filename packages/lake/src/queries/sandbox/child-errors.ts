/** Why a child exited before it answered. */
export type ChildExit = 'timeout' | 'out-of-memory' | 'cancelled' | 'engine-died';

/** The child has exited; `reason` says why. */
export class ChildExitedError extends Error {
  readonly reason: ChildExit;

  constructor(reason: ChildExit) {
    super(reason);
    this.name = 'ChildExitedError';
    this.reason = reason;
  }
}

/** The engine rejected a statement. The message is raw and may contain paths and cell values. */
export class EngineError extends Error {
  /** For `run`: the index of the failed statement. */
  readonly statement: number | undefined;

  constructor(message: string, statement?: number) {
    super(message);
    this.statement = statement;
  }
}
