import type { Run } from '../runs/index.ts';

/** The body of the webhook that is sent when a run of a job fails (JOBS-17). */
export interface JobFailed {
  event: 'job_failed';
  environment: string;
  repository: string;
  job: string;
  run: Run;
  /** The URL of the run in the REST interface. */
  url: string;
}

/** @param baseUrl the public URL of the service, without a trailing slash */
export function jobFailed(run: Run & { job: string }, baseUrl: string): JobFailed {
  const { environment, repository, job } = run;
  const url = `${baseUrl}/api/v1/environments/${encodeURIComponent(environment)}/runs/${run.id}`;
  return { event: 'job_failed', environment, repository, job, run, url };
}
