// Generated from the contract by "npm run generate". Do not edit.
import { tableParams } from '../address.ts';
import type { BreakGlass, CallOptions, Page } from '../request.ts';
import { type Paging, Resource } from '../resource.ts';
import type { BodyOf } from '../routes.ts';
import { split, wired } from '../split.ts';
import type { MaintainOptions, UndropOptions, WithinOptions } from './options.ts';
import type {
  DroppedTable,
  ExpiringTable,
  Maintenance,
  Snapshot,
  Table,
  TableHealth,
  TablePreview,
  TablePurge,
  TableRetention,
  Truncation,
} from './records.ts';

/** Tables, views and artifacts. `table` is `<namespace>.<table>`, with a dotted namespace. */
export class Tables extends Resource {
  /** List the tables of a namespace that the caller can read, by name. Returns the first page. */
  async list(env: string, namespace: string, options: Paging = {}): Promise<Table[]> {
    return (await this.listPage(env, namespace, options)).items;
  }

  /** List the tables of a namespace that the caller can read, by name. Returns one page. */
  listPage(env: string, namespace: string, options: Paging = {}): Promise<Page<Table>> {
    const { call, rest } = split(options);
    return this.call.page('tables.list', { ...call, params: { env, path: namespace }, query: rest });
  }

  /** List the tables of a namespace that the caller can read, by name. Iterates over all pages. */
  iter(env: string, namespace: string, options: Paging = {}): AsyncGenerator<Table, void, undefined> {
    const { call, rest } = split(options);
    return this.call.iterate('tables.list', { ...call, params: { env, path: namespace }, query: rest });
  }

  /** Get a table. */
  get(env: string, table: string, options: CallOptions = {}): Promise<Table> {
    return this.call.request('tables.get', { ...options, params: tableParams(env, table) });
  }

  /** Change the descriptions or the owner of a table. */
  update(
    env: string,
    table: string,
    body: BodyOf<'tables.update'>,
    options: CallOptions & BreakGlass = {},
  ): Promise<Table> {
    return this.call.request('tables.update', { ...options, params: tableParams(env, table), body });
  }

  /** Add, rename, reorder or drop columns of a managed table, widen their types, or set its identifier fields. */
  alter(
    env: string,
    table: string,
    body: BodyOf<'tables.alter'>,
    options: CallOptions & BreakGlass = {},
  ): Promise<Table> {
    return this.call.request('tables.alter', { ...options, params: tableParams(env, table), body });
  }

  /**
   * Remove all rows of a managed table in a new snapshot. Older snapshots keep the rows: `rollback` to
   * `previous_snapshot_id` brings them back.
   */
  truncate(env: string, table: string, options: CallOptions & BreakGlass = {}): Promise<Truncation> {
    return this.call.request('tables.truncate', { ...options, params: tableParams(env, table) });
  }

  /**
   * Rename a table or view, or move it to another namespace of its environment. Its id, rows, history, grants, policies
   * and retention stay. Views and assets that name it must be changed.
   */
  rename(env: string, table: string, to: string, options: CallOptions & BreakGlass = {}): Promise<Table> {
    return this.call.request('tables.rename', { ...options, params: tableParams(env, table), body: { to } });
  }

  /** List the snapshots of a managed table, newest first. */
  snapshots(env: string, table: string, options: CallOptions = {}): Promise<Snapshot[]> {
    return this.call.request('tables.snapshots', { ...options, params: tableParams(env, table) });
  }

  /**
   * Roll back a managed table to an older snapshot. Newer snapshots stay in the history. Fails with `Conflict` if
   * another change is committed concurrently.
   */
  rollback(
    env: string,
    table: string,
    snapshotId: number | string,
    options: CallOptions & BreakGlass = {},
  ): Promise<Table> {
    return this.call.request('tables.rollback', {
      ...options,
      params: tableParams(env, table),
      body: { snapshot_id: snapshotId },
    });
  }

  /**
   * Get the health of a table: last write and read, size, files and readers. Counts the reads of the last `days`
   * (default: 30).
   */
  health(env: string, table: string, options: CallOptions & { days?: number | undefined } = {}): Promise<TableHealth> {
    const { call, rest } = split(options);
    return this.call.request('tables.health', { ...call, params: tableParams(env, table), query: rest });
  }

  /**
   * Drop a table, view or artifact. Its files are retained for the undo period. During that period, `undrop` restores
   * it. With `purge`, the next sweep deletes them.
   */
  delete(
    env: string,
    table: string,
    options: CallOptions & BreakGlass & { purge?: boolean | undefined } = {},
  ): Promise<DroppedTable> {
    const { call, rest } = split(options);
    return this.call.request('tables.delete', { ...call, params: tableParams(env, table), query: rest });
  }

  /** List dropped tables whose files still exist, newest first. Returns the first page. */
  async listDropped(env: string, namespace: string, options: Paging = {}): Promise<DroppedTable[]> {
    return (await this.listDroppedPage(env, namespace, options)).items;
  }

  /** List dropped tables whose files still exist, newest first. Returns one page. */
  listDroppedPage(env: string, namespace: string, options: Paging = {}): Promise<Page<DroppedTable>> {
    const { call, rest } = split(options);
    return this.call.page('tables.listDropped', { ...call, params: { env, path: namespace }, query: rest });
  }

  /** Restore a dropped table, with its data, history and policies. Without `id`, it is the newest drop of that name. */
  undrop(env: string, table: string, options: CallOptions & BreakGlass & UndropOptions = {}): Promise<Table> {
    const { call, rest } = split(options);
    const body = wired(rest, { newName: 'new_name' });
    return this.call.request('tables.undrop', { ...call, params: tableParams(env, table), body });
  }

  /**
   * Place a legal hold on a table: neither a purge nor retention deletes its files. Without `until`, it lasts until
   * `release`. Without `id`, it is on the table of that name, or on its newest drop.
   */
  hold(
    env: string,
    table: string,
    body: { reason: string; until?: Date | string | null | undefined; id?: string | undefined },
    options: CallOptions = {},
  ): Promise<Table> {
    return this.call.request('tables.hold', {
      ...options,
      params: tableParams(env, table),
      body: body as BodyOf<'tables.hold'>,
    });
  }

  /** Release the legal hold on a table. Without `id`, it is that of the table of that name, or of its newest drop. */
  release(env: string, table: string, options: CallOptions & { id?: string | undefined } = {}): Promise<Table> {
    const { call, rest } = split(options);
    return this.call.request('tables.release', { ...call, params: tableParams(env, table), query: rest });
  }

  /** List purges of dropped tables: due, running or finished, latest first. Returns one page. */
  purgesPage(env: string, namespace: string, options: Paging = {}): Promise<Page<TablePurge>> {
    const { call, rest } = split(options);
    return this.call.page('tables.purges', { ...call, params: { env, path: namespace }, query: rest });
  }

  /** Get whether and when a table expires, and the rule that decides it. */
  retention(env: string, table: string, options: CallOptions = {}): Promise<TableRetention> {
    return this.call.request('retention.get', { ...options, params: tableParams(env, table) });
  }

  /**
   * List the tables that the caller can read and that expire within a number of days, soonest first. Returns the first
   * page.
   */
  async expiring(env: string, options: Paging & WithinOptions = {}): Promise<ExpiringTable[]> {
    return (await this.expiringPage(env, options)).items;
  }

  /**
   * List the tables that the caller can read and that expire within a number of days, soonest first. Returns one page.
   */
  expiringPage(env: string, options: Paging & WithinOptions = {}): Promise<Page<ExpiringTable>> {
    const { call, rest } = split(options);
    const query = wired(rest, { withinDays: 'within_days' });
    return this.call.page('retention.expiring', { ...call, params: { env }, query });
  }

  /**
   * Compact a managed table, expire its snapshots and remove unused files. It is queued: `client.maintenance.wait`
   * waits for it.
   */
  maintain(env: string, table: string, options: CallOptions & MaintainOptions = {}): Promise<Maintenance> {
    const { call, rest } = split(options);
    const body = wired(rest, { expireSnapshotsOlderThanDays: 'expire_snapshots_older_than_days', sortBy: 'sort_by', bloomFilters: 'bloom_filters' });
    return this.call.request('maintenance.create', { ...call, params: tableParams(env, table), body });
  }

  /**
   * Read the first rows of a table as another principal sees them. Its query contains only rows and values that both
   * may see. The audit log records each preview.
   */
  previewAs(
    env: string,
    table: string,
    body: BodyOf<'policies.previewTable'>,
    options: CallOptions = {},
  ): Promise<TablePreview> {
    return this.call.request('policies.previewTable', { ...options, params: tableParams(env, table), body });
  }
}
