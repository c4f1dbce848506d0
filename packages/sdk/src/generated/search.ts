// Generated from the contract by "npm run generate". Do not edit.
import type { Page } from '../request.ts';
import { Resource } from '../resource.ts';
import { split } from '../split.ts';
import type { FindOptions } from './options.ts';
import type { SearchResult } from './records.ts';

/** Search over the names and descriptions of an environment. */
export class Search extends Resource {
  /**
   * Find namespaces, tables, columns, assets and jobs by name and description. Returns what the caller can list; exact
   * names come first. `kind` accepts one value or several. Returns the first page.
   */
  async find(env: string, q: string, options: FindOptions = {}): Promise<SearchResult[]> {
    return (await this.findPage(env, q, options)).items;
  }

  /**
   * Find namespaces, tables, columns, assets and jobs by name and description. Returns what the caller can list; exact
   * names come first. `kind` accepts one value or several. Returns one page.
   */
  findPage(env: string, q: string, options: FindOptions = {}): Promise<Page<SearchResult>> {
    const { call, rest } = split(options);
    const query = { q, ...rest };
    return this.call.page('search.find', { ...call, params: { env }, query });
  }

  /**
   * Find namespaces, tables, columns, assets and jobs by name and description. Returns what the caller can list; exact
   * names come first. `kind` accepts one value or several. Iterates over all pages.
   */
  iter(env: string, q: string, options: FindOptions = {}): AsyncGenerator<SearchResult, void, undefined> {
    const { call, rest } = split(options);
    const query = { q, ...rest };
    return this.call.iterate('search.find', { ...call, params: { env }, query });
  }
}
