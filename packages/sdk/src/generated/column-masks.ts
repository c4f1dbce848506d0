// Generated from the contract by "npm run generate". Do not edit.
import { tableParams } from '../address.ts';
import type { CallOptions } from '../request.ts';
import { Resource } from '../resource.ts';
import type { BodyOf } from '../routes.ts';
import type { ColumnMask } from './records.ts';

/** Column masks: expressions that a principal or group sees instead of a column. They also apply to administrators. */
export class ColumnMasks extends Resource {
  /** Create a column mask: a principal or group sees an expression instead of the column. */
  create(
    env: string,
    table: string,
    body: BodyOf<'policies.createColumnMask'>,
    options: CallOptions = {},
  ): Promise<ColumnMask> {
    return this.call.request('policies.createColumnMask', { ...options, params: tableParams(env, table), body });
  }

  /** List the column masks of a table, oldest first. */
  list(env: string, table: string, options: CallOptions = {}): Promise<ColumnMask[]> {
    return this.call.request('policies.listColumnMasks', { ...options, params: tableParams(env, table) });
  }

  /** Delete a column mask. */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.call.request('policies.deleteColumnMask', { ...options, params: { id } });
  }
}
