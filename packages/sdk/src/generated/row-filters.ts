// Generated from the contract by "npm run generate". Do not edit.
import { tableParams } from '../address.ts';
import type { CallOptions } from '../request.ts';
import { Resource } from '../resource.ts';
import type { BodyOf } from '../routes.ts';
import type { RowFilter } from './records.ts';

/** Row filters: conditions on the rows of a table that a principal or group sees. They also apply to administrators. */
export class RowFilters extends Resource {
  /** Create a row filter: a principal or group sees only the rows that match a predicate. */
  create(
    env: string,
    table: string,
    body: BodyOf<'policies.createRowFilter'>,
    options: CallOptions = {},
  ): Promise<RowFilter> {
    return this.call.request('policies.createRowFilter', { ...options, params: tableParams(env, table), body });
  }

  /** List the row filters of a table, oldest first. */
  list(env: string, table: string, options: CallOptions = {}): Promise<RowFilter[]> {
    return this.call.request('policies.listRowFilters', { ...options, params: tableParams(env, table) });
  }

  /** Delete a row filter. */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.call.request('policies.deleteRowFilter', { ...options, params: { id } });
  }
}
