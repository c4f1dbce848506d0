// Generated from the contract by "npm run generate". Do not edit.
import type { CallOptions, Page } from '../request.ts';
import { Resource } from '../resource.ts';
import type { BodyOf } from '../routes.ts';
import { split } from '../split.ts';
import { type WaitOptions, waitUntilFinished } from '../wait.ts';
import type { RunFilters } from './options.ts';
import type { Run, RunTimeline } from './records.ts';

/** Runs of projects. */
export class Runs extends Resource {
  /**
   * Run selected assets of a deployed project. Fails with `Conflict`, which names the active run, while the project is
   * busy. With `full_refresh`, incremental assets are built from the start and replace the rows of their tables.
   * `project_version_id` is a version that you stored with `dev_namespace`.
   */
  create(env: string, body: BodyOf<'runs.create'>, options: CallOptions = {}): Promise<Run> {
    return this.call.request('runs.create', { ...options, params: { env }, body });
  }

  /**
   * List runs, newest first. `status` and `trigger` accept one value or several. `since` is inclusive, `until` is
   * exclusive; both need a time zone. Returns the first page.
   */
  async list(env: string, filters: RunFilters = {}): Promise<Run[]> {
    return (await this.listPage(env, filters)).items;
  }

  /**
   * List runs, newest first. `status` and `trigger` accept one value or several. `since` is inclusive, `until` is
   * exclusive; both need a time zone. Returns one page.
   */
  listPage(env: string, filters: RunFilters = {}): Promise<Page<Run>> {
    const { call, rest } = split(filters);
    return this.call.page('runs.list', { ...call, params: { env }, query: rest });
  }

  /**
   * List runs, newest first. `status` and `trigger` accept one value or several. `since` is inclusive, `until` is
   * exclusive; both need a time zone. Iterates over all pages.
   */
  iter(env: string, filters: RunFilters = {}): AsyncGenerator<Run, void, undefined> {
    const { call, rest } = split(filters);
    return this.call.iterate('runs.list', { ...call, params: { env }, query: rest });
  }

  /**
   * Get the runs that were queued or running during a period, without their tasks. `since` is inclusive, `until` is
   * exclusive (default: no end). Shows up to 10,000 runs, the newest.
   */
  timeline(
    env: string,
    since: Date | string,
    options: CallOptions & { until?: Date | string | undefined; repository?: string | undefined; job?: string | undefined } = {},
  ): Promise<RunTimeline> {
    const { call, rest } = split(options);
    const query = { since, ...rest };
    return this.call.request('runs.timeline', { ...call, params: { env }, query });
  }

  /** Get a run. With `wait` (0 to 60 seconds), returns as soon as it has finished. */
  get(env: string, id: string, options: CallOptions & { wait?: number | undefined } = {}): Promise<Run> {
    const { call, rest } = split(options);
    return this.call.request('runs.get', { ...call, params: { env, id }, query: rest });
  }

  /** Wait until the run has finished, whatever its status. */
  wait(env: string, id: string, options: WaitOptions<Run> = {}): Promise<Run> {
    return waitUntilFinished(this.call, 'run', (call) => this.get(env, id, call), options);
  }

  /** Cancel a run. */
  cancel(env: string, id: string, options: CallOptions = {}): Promise<Run> {
    return this.call.request('runs.cancel', { ...options, params: { env, id } });
  }

  /**
   * Run the failed tasks of a run again, with the tasks that depend on them. It uses the active project version.
   * Returns the new run.
   */
  retry(env: string, id: string, options: CallOptions = {}): Promise<Run> {
    return this.call.request('runs.retry', { ...options, params: { env, id } });
  }
}
