import { Jobs as GeneratedJobs } from './generated/jobs.ts';
import type { Run } from './records.ts';
import type { CallOptions } from './request.ts';
import type { ItemOf } from './routes.ts';
import { split } from './split.ts';

type WireJob = ItemOf<'jobs.list'>;
/** What starts a job; unknown kinds are left out. */
export type Trigger = WireJob['triggers'][number];
export type Job = WireJob;
/** An accepted start that waits for the project's active run. */
export type WaitingStart = NonNullable<WireJob['waiting_for']>;
/** Either the run that started or the start that waits. */
export type JobStart = { run: Run; waiting: null } | { run: null; waiting: WaitingStart };

export interface OfRepository extends CallOptions {
  /** Needed only if several repositories declare a job with this name. */
  repository?: string | undefined;
}

const KNOWN_TRIGGERS: readonly string[] = ['schedule', 'on_demand'] satisfies Trigger['kind'][];

/** Jobs of an environment. */
export class Jobs extends GeneratedJobs {
  /** By repository and name. */
  async list(env: string, options: OfRepository = {}): Promise<Job[]> {
    const { call, rest } = split(options);
    return (await this.call.request('jobs.list', { ...call, params: { env }, query: rest })).map(known);
  }

  /** @throws Conflict naming the repositories when several declare the job */
  async get(env: string, job: string, options: OfRepository = {}): Promise<Job> {
    const { call, rest } = split(options);
    return known(await this.call.request('jobs.get', { ...call, params: { env, job }, query: rest }));
  }

  /** Starts a job. Returns the run or, while the project is busy, the waiting start. */
  async start(env: string, job: string, options: OfRepository = {}): Promise<JobStart> {
    const { call, rest } = split(options);
    const sent = { ...call, params: { env, job }, query: rest, body: {} };
    const { status, body } = await this.call.answer('jobs.start', sent);
    if (status === 202) return { run: null, waiting: (body as { waiting: WaitingStart }).waiting };
    return { run: body as Run, waiting: null };
  }

  /**
   * Pauses the schedule; manual starts and a waiting start still run (JOBS-6). Pausing a paused job succeeds.
   * @throws Conflict `no-schedule` if the job has no schedule in that environment
   */
  pause(env: string, job: string, options: OfRepository = {}): Promise<Job> {
    return this.#setPause('jobs.pause', env, job, options);
  }

  /** Resumes the schedule from now on; missed times don't fire. @throws Conflict `no-schedule` */
  resume(env: string, job: string, options: OfRepository = {}): Promise<Job> {
    return this.#setPause('jobs.resume', env, job, options);
  }

  async #setPause(route: 'jobs.pause' | 'jobs.resume', env: string, job: string, options: OfRepository): Promise<Job> {
    const { call, rest } = split(options);
    return known(await this.call.request(route, { ...call, params: { env, job }, query: rest }));
  }
}

/** Triggers may gain kinds, and an older service sends none (SDK-3). */
function known(job: Job): Job {
  const triggers = (job.triggers as Trigger[] | undefined) ?? [];
  return { ...job, triggers: triggers.filter(({ kind }) => KNOWN_TRIGGERS.includes(kind)) };
}
