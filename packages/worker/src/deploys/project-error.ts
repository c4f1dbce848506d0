import type { Failure, FailureCode } from '@svc/core/errors';
import { FailedWorkError } from '../work/failed-work-error.ts';

/** A project that can't be fetched, unpacked or packed. The message goes into the deploy's record. */
export class ProjectError extends FailedWorkError {
  override readonly name = 'ProjectError';

  static from({ code, detail, remedy }: Failure): ProjectError {
    return new ProjectError(code as FailureCode, detail, remedy);
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
