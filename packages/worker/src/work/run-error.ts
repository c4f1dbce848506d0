import type { Failure, FailureCode } from '@svc/core/errors';

/** A task or Python environment that failed: cause and remedy for the run's record. */
export class RunError extends Error {
  readonly code: Failure['code'];
  readonly detail: string;
  readonly remedy: string | null;

  constructor(code: FailureCode, detail: string, remedy: string | null) {
    super(remedy === null ? detail : `${detail}; ${remedy}`);
    this.name = 'RunError';
    this.code = code;
    this.detail = detail;
    this.remedy = remedy;
  }

  static from({ code, detail, remedy }: Failure): RunError {
    return new RunError(code as FailureCode, detail, remedy);
  }
}
