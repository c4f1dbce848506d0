import { jsonLines } from './json-lines.ts';
import type { LogLine, Run } from './records.ts';
import type { CallOptions, Page, Requester } from './request.ts';
import type { BodyOf } from './routes.ts';
import { split } from './split.ts';
import { type WaitOptions, waitUntilFinished } from './wait.ts';

/** One or several statuses and triggers; a `since` text needs a time zone (HTTP-11). */
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

  /** With `wait` (0 to 60 seconds), returns as soon as the run has finished. */
  get(env: string, id: string, options: CallOptions & { wait?: number | undefined } = {}): Promise<Run> {
    const { call, rest } = split(options);
    return this.#call.request('runs.get', { ...call, params: { env, id }, query: rest });
  }

  /** Waits until the run has finished, whatever its status. */
  wait(env: string, id: string, options: WaitOptions<Run> = {}): Promise<Run> {
    return waitUntilFinished(this.#call, 'run', (call) => this.get(env, id, call), options);
  }

  /** Returns the first page. */
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
   * Retries what didn't succeed, on the active project version, and returns the new run.
   * @throws Conflict while the run is active, if nothing failed, or while the project is busy
   */
  retry(env: string, id: string, options: CallOptions = {}): Promise<Run> {
    return this.#call.request('runs.retry', { ...options, params: { env, id } });
  }

  /** Returns the lines of the log; with `follow`, until the run has finished. */
  async *logs(
    env: string,
    id: string,
    options: CallOptions & { follow?: boolean | undefined } = {},
  ): AsyncGenerator<LogLine, void, undefined> {
    const { call, rest } = split(options);
    yield* jsonLines<LogLine>(await this.#call.stream('runs.logs', { ...call, params: { env, id }, query: rest }));
  }
}
