// Generated from the contract by "npm run generate". Do not edit.
import type { CallOptions, Page } from '../request.ts';
import { Resource } from '../resource.ts';
import type { BodyOf } from '../routes.ts';
import { split } from '../split.ts';
import type { SavedQueryFilters } from './options.ts';
import type { SavedQuery } from './records.ts';

/** Saved queries of an environment. Only their owners see those that are not shared. */
export class SavedQueries extends Resource {
  /** Save a query. Only its owner sees it, unless it is shared. `default: null` means that a run needs a value. */
  create(
    env: string,
    name: string,
    sql: string,
    options: CallOptions & Omit<BodyOf<'savedQueries.create'>, 'name' | 'sql'> = {},
  ): Promise<SavedQuery> {
    const { call, rest } = split(options);
    const body = { name, sql, ...rest };
    return this.call.request('savedQueries.create', { ...call, params: { env }, body });
  }

  /** List the caller's saved queries and the shared ones of others, by name. Returns the first page. */
  async list(env: string, filters: SavedQueryFilters = {}): Promise<SavedQuery[]> {
    return (await this.listPage(env, filters)).items;
  }

  /** List the caller's saved queries and the shared ones of others, by name. Returns one page. */
  listPage(env: string, filters: SavedQueryFilters = {}): Promise<Page<SavedQuery>> {
    const { call, rest } = split(filters);
    return this.call.page('savedQueries.list', { ...call, params: { env }, query: rest });
  }

  /** List the caller's saved queries and the shared ones of others, by name. Iterates over all pages. */
  iter(env: string, filters: SavedQueryFilters = {}): AsyncGenerator<SavedQuery, void, undefined> {
    const { call, rest } = split(filters);
    return this.call.iterate('savedQueries.list', { ...call, params: { env }, query: rest });
  }

  /** Get a saved query. */
  get(env: string, id: string, options: CallOptions = {}): Promise<SavedQuery> {
    return this.call.request('savedQueries.get', { ...options, params: { env, id } });
  }

  /**
   * Change a saved query: its name, statement, parameters or description, or whether it is shared. `null` removes the
   * description. With the `version` that was read, nothing changes if the query has changed since.
   */
  update(env: string, id: string, body: BodyOf<'savedQueries.update'>, options: CallOptions = {}): Promise<SavedQuery> {
    return this.call.request('savedQueries.update', { ...options, params: { env, id }, body });
  }

  /** Delete a saved query. */
  delete(env: string, id: string, options: CallOptions = {}): Promise<void> {
    return this.call.request('savedQueries.delete', { ...options, params: { env, id } });
  }
}
