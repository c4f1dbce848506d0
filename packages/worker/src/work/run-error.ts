/** A task or Python environment that failed: cause and remedy for the run's record. */
export class RunError extends Error {
  readonly code: string;
  readonly detail: string;
  readonly remedy: string | null;

  constructor(code: string, detail: string, remedy: string | null) {
    super(remedy === null ? detail : `${detail}; ${remedy}`);
    this.name = 'RunError';
    this.code = code;
    this.detail = detail;
    this.remedy = remedy;
  }
}
