import type { Failure, FailureCode } from '@svc/core/errors';
import { FailedWorkError } from './failed-work-error.ts';

/** A task or Python environment that failed: cause and remedy for the run's record. */
export class RunError extends FailedWorkError {
  override readonly name = 'RunError';

  static from({ code, detail, remedy }: Failure): RunError {
    return new RunError(code as FailureCode, detail, remedy);
  }
}
