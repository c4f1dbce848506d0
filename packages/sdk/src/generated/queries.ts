// Generated from the contract by "npm run generate". Do not edit.
import type { CallOptions, Page } from '../request.ts';
import { Resource } from '../resource.ts';
import { split } from '../split.ts';
import { type WaitOptions, waitUntilFinished } from '../wait.ts';
import type { QueryFilters } from './options.ts';
import type { Query } from './records.ts';

/** SQL queries. */
export class Queries extends Resource {
  /** List queries: running, then queued, then those that finished in the last 24 hours. Returns the first page. */
  async list(env: string, filters: QueryFilters = {}): Promise<Query[]> {
    return (await this.listPage(env, filters)).items;
  }

  /** List queries: running, then queued, then those that finished in the last 24 hours. Returns one page. */
  listPage(env: string, filters: QueryFilters = {}): Promise<Page<Query>> {
    const { call, rest } = split(filters);
    return this.call.page('queries.list', { ...call, params: { env }, query: rest });
  }

  /** List queries: running, then queued, then those that finished in the last 24 hours. Iterates over all pages. */
  iter(env: string, filters: QueryFilters = {}): AsyncGenerator<Query, void, undefined> {
    const { call, rest } = split(filters);
    return this.call.iterate('queries.list', { ...call, params: { env }, query: rest });
  }

  /** Get a query. With `wait` (0 to 60 seconds), returns as soon as it has finished. */
  get(env: string, id: string, options: CallOptions & { wait?: number | undefined } = {}): Promise<Query> {
    const { call, rest } = split(options);
    return this.call.request('queries.get', { ...call, params: { env, id }, query: rest });
  }

  /** Wait until the query has finished, whatever its status. */
  wait(env: string, id: string, options: WaitOptions<Query> = {}): Promise<Query> {
    return waitUntilFinished(this.call, 'query', (call) => this.get(env, id, call), options);
  }

  /** Cancel a query. */
  cancel(env: string, id: string, options: CallOptions = {}): Promise<Query> {
    return this.call.request('queries.cancel', { ...options, params: { env, id } });
  }
}
