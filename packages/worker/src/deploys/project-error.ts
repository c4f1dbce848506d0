/** A project that cannot be fetched, unpacked or packed: the sentence for the deploy's record. */
export class ProjectError extends Error {
  readonly code: string;
  readonly detail: string;
  readonly remedy: string | null;

  constructor(code: string, detail: string, remedy: string | null) {
    super(remedy === null ? detail : `${detail}; ${remedy}`);
    this.name = 'ProjectError';
    this.code = code;
    this.detail = detail;
    this.remedy = remedy;
  }
}

/** How large a project may be. Bytes, but for `entries`. */
export interface ProjectLimits {
  readonly bytes: number;
  readonly fileBytes: number;
  readonly entries: number;
}

export const PROJECT_LIMITS: ProjectLimits = {
  bytes: 512 * 1024 * 1024,
  fileBytes: 128 * 1024 * 1024,
  entries: 20_000,
};
