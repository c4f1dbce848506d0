import type { CallOptions, Requester } from './request.ts';
import type { BodyOf, ItemOf } from './routes.ts';
import { tableParams } from './tables.ts';

export type RowFilter = ItemOf<'policies.listRowFilters'>;
export type ColumnMask = ItemOf<'policies.listColumnMasks'>;

/** Conditions on the rows that a principal or group reads from a table. */
export class RowFilters {
  readonly #call: Requester;

  constructor(call: Requester) {
    this.#call = call;
  }

  create(
    env: string,
    table: string,
    body: BodyOf<'policies.createRowFilter'>,
    options: CallOptions = {},
  ): Promise<RowFilter> {
    return this.#call.request('policies.createRowFilter', { ...options, params: tableParams(env, table), body });
  }

  /** Oldest first. */
  list(env: string, table: string, options: CallOptions = {}): Promise<RowFilter[]> {
    return this.#call.request('policies.listRowFilters', { ...options, params: tableParams(env, table) });
  }

  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#call.request('policies.deleteRowFilter', { ...options, params: { id } });
  }
}

/** Expressions that replace a column for a principal or group. */
export class ColumnMasks {
  readonly #call: Requester;

  constructor(call: Requester) {
    this.#call = call;
  }

  create(
    env: string,
    table: string,
    body: BodyOf<'policies.createColumnMask'>,
    options: CallOptions = {},
  ): Promise<ColumnMask> {
    return this.#call.request('policies.createColumnMask', { ...options, params: tableParams(env, table), body });
  }

  /** Oldest first. */
  list(env: string, table: string, options: CallOptions = {}): Promise<ColumnMask[]> {
    return this.#call.request('policies.listColumnMasks', { ...options, params: tableParams(env, table) });
  }

  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#call.request('policies.deleteColumnMask', { ...options, params: { id } });
  }
}
