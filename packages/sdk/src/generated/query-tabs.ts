// Generated from the contract by "npm run generate". Do not edit.
import type { CallOptions } from '../request.ts';
import { Resource } from '../resource.ts';
import type { BodyOf } from '../routes.ts';
import type { QueryTab } from './records.ts';

/** The caller's own tabs of the SQL page. Nobody else sees them. */
export class QueryTabs extends Resource {
  /** List the caller's query tabs in the environment, oldest first. */
  list(env: string, options: CallOptions = {}): Promise<QueryTab[]> {
    return this.call.request('queryTabs.list', { ...options, params: { env } });
  }

  /** Get one of the caller's query tabs. */
  get(env: string, id: string, options: CallOptions = {}): Promise<QueryTab> {
    return this.call.request('queryTabs.get', { ...options, params: { env, id } });
  }

  /**
   * Create or replace a query tab, unless it has changed since the caller read it. `version` is the one that was read,
   * or 0 for a new tab, whose id is any UUID.
   */
  save(env: string, id: string, tab: BodyOf<'queryTabs.save'>, options: CallOptions = {}): Promise<QueryTab> {
    return this.call.request('queryTabs.save', { ...options, params: { env, id }, body: tab });
  }

  /** Delete a query tab, unless it has changed since the caller read it. */
  delete(env: string, id: string, version: number, options: CallOptions = {}): Promise<void> {
    return this.call.request('queryTabs.delete', { ...options, params: { env, id }, query: { version } });
  }
}
