import type { Job } from '@svc/sdk/browser';

/** The filters of the list, as the address has them. */
export interface JobFilters {
  readonly q?: string | undefined;
  readonly repository?: string | undefined;
  readonly state?: string | undefined;
}

type Named = Pick<Job, 'name' | 'repository' | 'state'>;

/** The jobs of the repository and state whose names contain every word of the text. */
export function matchingJobs<J extends Named>(jobs: readonly J[], { q = '', repository, state }: JobFilters): J[] {
  const parts = q.toLowerCase().split(/\s+/);
  return jobs.filter(
    (job) =>
      (repository === undefined || job.repository === repository) &&
      (state === undefined || job.state === state) &&
      parts.every((part) => `${job.repository} ${job.name}`.toLowerCase().includes(part)),
  );
}
