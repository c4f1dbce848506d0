// Generated from the contract by "npm run generate". Do not edit.
import type { CallOptions } from '../request.ts';
import { Resource } from '../resource.ts';
import { split } from '../split.ts';
import type { JobSchedule } from './records.ts';

/** Jobs. `repository` is only required if several repositories declare a job with the name. */
export class Jobs extends Resource {
  /**
   * List the next times of a job's schedule. Each has a note if daylight saving time moves, repeats or skips a time.
   * While the schedule is paused, they are the times of a resumed one.
   */
  schedule(
    env: string,
    job: string,
    options: CallOptions & { repository?: string | undefined; count?: number | undefined } = {},
  ): Promise<JobSchedule> {
    const { call, rest } = split(options);
    return this.call.request('jobs.schedule', { ...call, params: { env, job }, query: rest });
  }
}
