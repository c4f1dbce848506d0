import type { Run } from '../runs/index.ts';

/** What a webhook is told when a run of a job has failed (interface: a webhook on failure). */
export interface JobFailed {
  event: 'job_failed';
  environment: string;
  repository: string;
  job: string;
  run: Run;
  /** Where the run is read by REST. */
  url: string;
}

/** @param baseUrl the address that people reach the service by, without a slash at its end */
export function jobFailed(run: Run & { job: string }, baseUrl: string): JobFailed {
  const { environment, repository, job } = run;
  const url = `${baseUrl}/api/v1/environments/${encodeURIComponent(environment)}/runs/${run.id}`;
  return { event: 'job_failed', environment, repository, job, run, url };
}
