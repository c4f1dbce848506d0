import type { Run } from './records.ts';
import type { CallOptions, Requester } from './request.ts';
import type { ItemOf } from './routes.ts';
import { split } from './split.ts';

type WireJob = ItemOf<'jobs.list'>;
/** When a job starts; kinds that this version does not know are left out. */
export type Trigger = WireJob['triggers'][number];
export type Job = WireJob;
/** A start that was accepted and waits for the project's active run. */
export type WaitingStart = NonNullable<WireJob['waiting_for']>;
/** Either the run that began or the start that waits. */
export type JobStart = { run: Run; waiting: null } | { run: null; waiting: WaitingStart };

export interface OfRepository extends CallOptions {
  /** Needed only where several repositories declare a job of the name. */
  repository?: string | undefined;
}

const KNOWN_TRIGGERS: readonly string[] = ['schedule', 'on_demand'] satisfies Trigger['kind'][];

export class Jobs {
  readonly #call: Requester;

  constructor(call: Requester) {
    this.#call = call;
  }

  /** By repository and name. */
  async list(env: string, options: OfRepository = {}): Promise<Job[]> {
    const { call, rest } = split(options);
    return (await this.#call.request('jobs.list', { ...call, params: { env }, query: rest })).map(known);
  }

  /** @throws Conflict naming the repositories when several declare the job */
  async get(env: string, job: string, options: OfRepository = {}): Promise<Job> {
    const { call, rest } = split(options);
    return known(await this.#call.request('jobs.get', { ...call, params: { env, job }, query: rest }));
  }

  /** Starts a job: the run, or, while the project is busy, the start that waits (accepted, not run). */
  async start(env: string, job: string, options: OfRepository = {}): Promise<JobStart> {
    const { call, rest } = split(options);
    const sent = { ...call, params: { env, job }, query: rest, body: {} };
    const { status, body } = await this.#call.answer('jobs.start', sent);
    if (status === 202) return { run: null, waiting: (body as { waiting: WaitingStart }).waiting };
    return { run: body as Run, waiting: null };
  }

  /**
   * Stops the schedule; starts by hand and a start that waits already go on (specification 2.8). Pausing twice is no error.
   * @throws Conflict `no-schedule` when the job has none in that environment
   */
  pause(env: string, job: string, options: OfRepository = {}): Promise<Job> {
    return this.#setPause('jobs.pause', env, job, options);
  }

  /** Goes on from now; times that passed meanwhile do not fire. @throws Conflict `no-schedule` */
  resume(env: string, job: string, options: OfRepository = {}): Promise<Job> {
    return this.#setPause('jobs.resume', env, job, options);
  }

  async #setPause(route: 'jobs.pause' | 'jobs.resume', env: string, job: string, options: OfRepository): Promise<Job> {
    const { call, rest } = split(options);
    return known(await this.#call.request(route, { ...call, params: { env, job }, query: rest }));
  }
}

/** Specification 2.8, 9: triggers may gain kinds, and an older service sends none. */
function known(job: Job): Job {
  const triggers = (job.triggers as Trigger[] | undefined) ?? [];
  return { ...job, triggers: triggers.filter(({ kind }) => KNOWN_TRIGGERS.includes(kind)) };
}
