import { jsonLines } from './json-lines.ts';
import type { LogLine, Run } from './records.ts';
import type { CallOptions, Page, Requester } from './request.ts';
import type { BodyOf } from './routes.ts';
import { split } from './split.ts';
import { untilEnded, type WaitOptions } from './wait.ts';

/** A word or several of status and trigger; a `since` text needs a time zone (specification 4.3). */
export interface RunFilters extends CallOptions {
  repository?: string | undefined;
  status?: string | readonly string[] | undefined;
  trigger?: string | readonly string[] | undefined;
  job?: string | undefined;
  since?: Date | string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

export class Runs {
  readonly #call: Requester;

  constructor(call: Requester) {
    this.#call = call;
  }

  /** Starts an ad hoc run of selected assets. @throws Conflict naming the active run of a busy project */
  create(env: string, body: BodyOf<'runs.create'>, options: CallOptions = {}): Promise<Run> {
    return this.#call.request('runs.create', { ...options, params: { env }, body });
  }

  /** With `wait` (0 to 60 seconds) the answer comes as soon as the run has ended. */
  get(env: string, id: string, options: CallOptions & { wait?: number | undefined } = {}): Promise<Run> {
    const { call, rest } = split(options);
    return this.#call.request('runs.get', { ...call, params: { env, id }, query: rest });
  }

  /** The run once it has ended, however it ended. */
  wait(env: string, id: string, options: WaitOptions<Run> = {}): Promise<Run> {
    return untilEnded(this.#call, 'run', (call) => this.get(env, id, call), options);
  }

  /** The first page of `listPage`. */
  async list(env: string, filters: RunFilters = {}): Promise<Run[]> {
    return (await this.listPage(env, filters)).items;
  }

  /** Newest first. */
  listPage(env: string, filters: RunFilters = {}): Promise<Page<Run>> {
    const { call, rest } = split(filters);
    return this.#call.page('runs.list', { ...call, params: { env }, query: rest });
  }

  iter(env: string, filters: RunFilters = {}): AsyncGenerator<Run, void, undefined> {
    const { call, rest } = split(filters);
    return this.#call.iterate('runs.list', { ...call, params: { env }, query: rest });
  }

  cancel(env: string, id: string, options: CallOptions = {}): Promise<Run> {
    return this.#call.request('runs.cancel', { ...options, params: { env, id } });
  }

  /**
   * Runs again what did not succeed, on the version deployed now: the new run.
   * @throws Conflict while the run goes on, when nothing failed, or when the project is busy
   */
  retry(env: string, id: string, options: CallOptions = {}): Promise<Run> {
    return this.#call.request('runs.retry', { ...options, params: { env, id } });
  }

  /** The lines of the log; `follow` goes on until the run ends. */
  async *logs(
    env: string,
    id: string,
    options: CallOptions & { follow?: boolean | undefined } = {},
  ): AsyncGenerator<LogLine, void, undefined> {
    const { call, rest } = split(options);
    yield* jsonLines<LogLine>(await this.#call.stream('runs.logs', { ...call, params: { env, id }, query: rest }));
  }
}
