/** A project that can't be fetched, unpacked or packed. The message goes into the deploy's record. */
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

/** Maximum size of a project: `entries` is a count, the others are bytes. */
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

/** The error for a project that exceeds the limits. */
export function tooLarge(what: string, limits: ProjectLimits): ProjectError {
  const allowed = `${limits.entries} files, ${limits.bytes} bytes in total, ${limits.fileBytes} bytes per file`;
  return new ProjectError('project-too-large', `${what}; the limits are ${allowed}`, 'keep data out of the repository');
}
