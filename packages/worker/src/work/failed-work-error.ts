import type { Failure, FailureCode } from '@svc/core/errors';

/** Work that failed for a reason that its record reports. */
export abstract class FailedWorkError extends Error {
  readonly code: Failure['code'];
  readonly detail: string;
  readonly remedy: string | null;

  constructor(code: FailureCode, detail: string, remedy: string | null) {
    super(remedy === null ? detail : `${detail}; ${remedy}`);
    this.code = code;
    this.detail = detail;
    this.remedy = remedy;
  }

  get failure(): Failure {
    const { code, detail, remedy } = this;
    return { code, detail, remedy };
  }
}
