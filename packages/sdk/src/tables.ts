import type { Maintenance, Snapshot, Table, Write } from './records.ts';
import type { BreakGlass, CallOptions, Page, Requester } from './request.ts';
import type { AnswerOf, BodyOf, ItemOf } from './routes.ts';
import { split, wired } from './split.ts';
import type { UploadBody } from './transport.ts';

type Paging = CallOptions & { limit?: number | undefined; cursor?: string | undefined };
/** A created table. If its retention was rejected, `retention_error` has the reason and the remedy. */
export type CreatedTable = AnswerOf<'tables.create'>;

/** Last write and read, size, files and readers. */
export type TableHealth = AnswerOf<'tables.health'>;

/** A dropped table whose files still exist. */
export type DroppedTable = ItemOf<'tables.listDropped'>;
/** Progress of deleting a dropped table's files. */
export type TablePurge = ItemOf<'tables.purges'>;
/** A table's retention: whether and when it expires, and the rule. */
export type TableRetention = AnswerOf<'retention.get'>;
export type ExpiringTable = ItemOf<'retention.expiring'>;
/** Fields as on the wire or in camel case. */
export interface MaintainOptions {
  compact?: boolean | undefined;
  expire_snapshots_older_than_days?: number | undefined;
  expireSnapshotsOlderThanDays?: number | undefined;
}

/** Fields as on the wire or in camel case. `id` selects one of several drops of the name. */
export interface UndropOptions {
  new_name?: string | undefined;
  newName?: string | undefined;
  id?: string | undefined;
}

/** Fields as on the wire or in camel case. */
export interface WithinOptions {
  within_days?: number | undefined;
  withinDays?: number | undefined;
}

/** A rule for one table: exactly one of the three; `on` is a date or `YYYY-MM-DD`, in UTC. */
export type RetentionRule =
  | { days: number; on?: undefined; never?: undefined }
  | { on: Date | string; days?: undefined; never?: undefined }
  | { never: true; days?: undefined; on?: undefined };

export type LoadFormat = 'csv' | 'ndjson' | 'parquet';
const MEDIA_TYPES: Record<LoadFormat, string> = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
};

export interface LoadOptions extends CallOptions, BreakGlass {
  format: LoadFormat;
  /** Default `append`. */
  mode?: 'append' | 'replace' | undefined;
  /** Stored with the write: the progress of an incremental load. */
  watermark?: string | undefined;
}

/** Tables, views and artifacts; `table` is `<namespace>.<table>`, the namespace dotted. */
export class Tables {
  readonly #call: Requester;

  constructor(call: Requester) {
    this.#call = call;
  }

  /** Creates a managed table from `columns`, or an external one from `location` and `format`. */
  create(
    env: string,
    table: string,
    options: CallOptions & BreakGlass & Omit<BodyOf<'tables.create'>, 'name'>,
  ): Promise<CreatedTable> {
    const { name, ...params } = tableParams(env, table);
    const { call, rest } = split(options);
    const body = { name, ...(rest as Omit<BodyOf<'tables.create'>, 'name'>) };
    return this.#call.request('tables.create', { ...call, params, body });
  }

  /** Returns the first page. */
  async list(env: string, namespace: string, options: Paging = {}): Promise<Table[]> {
    return (await this.listPage(env, namespace, options)).items;
  }

  /** Lists the tables of a namespace that the caller may read, by name. */
  listPage(env: string, namespace: string, options: Paging = {}): Promise<Page<Table>> {
    const { call, rest } = split(options);
    return this.#call.page('tables.list', { ...call, params: { env, path: namespace }, query: rest });
  }

  iter(env: string, namespace: string, options: Paging = {}): AsyncGenerator<Table, void, undefined> {
    const { call, rest } = split(options);
    return this.#call.iterate('tables.list', { ...call, params: { env, path: namespace }, query: rest });
  }

  get(env: string, table: string, options: CallOptions = {}): Promise<Table> {
    return this.#call.request('tables.get', { ...options, params: tableParams(env, table) });
  }

  /** Changes description, column descriptions or owner. */
  update(
    env: string,
    table: string,
    body: BodyOf<'tables.update'>,
    options: CallOptions & BreakGlass = {},
  ): Promise<Table> {
    return this.#call.request('tables.update', { ...options, params: tableParams(env, table), body });
  }

  /** The snapshots of a managed table, newest first. */
  snapshots(env: string, table: string, options: CallOptions = {}): Promise<Snapshot[]> {
    return this.#call.request('tables.snapshots', { ...options, params: tableParams(env, table) });
  }

  /**
   * Makes an earlier snapshot the current one again. Newer snapshots stay in the history. If another change is committed
   * concurrently, it isn't undone: `ConflictError`.
   */
  rollback(
    env: string,
    table: string,
    snapshotId: Snapshot['snapshot_id'],
    options: CallOptions & BreakGlass = {},
  ): Promise<Table> {
    const body = { snapshot_id: snapshotId };
    return this.#call.request('tables.rollback', { ...options, params: tableParams(env, table), body });
  }

  /**
   * Removes unused files and, on request, compacts small files and expires snapshots older than so many days. Returns queued
   * work: `client.maintenance.wait` waits for it.
   */
  maintain(env: string, table: string, options: CallOptions & MaintainOptions = {}): Promise<Maintenance> {
    const { call, rest } = split(options);
    const body = wired(rest, { expireSnapshotsOlderThanDays: 'expire_snapshots_older_than_days' });
    return this.#call.request('maintenance.create', { ...call, params: tableParams(env, table), body });
  }

  /** Counts reads over the last `days` (default: 30). */
  health(env: string, table: string, options: CallOptions & { days?: number | undefined } = {}): Promise<TableHealth> {
    const { call, rest } = split(options);
    return this.#call.request('tables.health', { ...call, params: tableParams(env, table), query: rest });
  }

  /**
   * Uploads rows and returns the queued write: `client.writes.wait` waits for it. If the connection breaks, a body that can be
   * read again (a text, bytes, or a function that opens the stream) is resent; a bare stream isn't.
   */
  load(env: string, table: string, body: UploadBody, options: LoadOptions): Promise<Write> {
    const { call, rest } = split(options);
    return this.#call.request('writes.create', {
      ...call,
      params: tableParams(env, table),
      query: { mode: rest.mode, watermark: rest.watermark },
      body,
      contentType: MEDIA_TYPES[rest.format],
    });
  }

  /**
   * Drops a table, view or artifact. Its files stay for the undo period, in which `undrop` restores it; with `purge` the next
   * sweep deletes them.
   */
  delete(
    env: string,
    table: string,
    options: CallOptions & BreakGlass & { purge?: boolean | undefined } = {},
  ): Promise<DroppedTable> {
    const { call, rest } = split(options);
    return this.#call.request('tables.delete', { ...call, params: tableParams(env, table), query: rest });
  }

  /** Returns the first page. */
  async listDropped(env: string, namespace: string, options: Paging = {}): Promise<DroppedTable[]> {
    return (await this.listDroppedPage(env, namespace, options)).items;
  }

  /** Lists dropped tables whose files still exist, newest first. */
  listDroppedPage(env: string, namespace: string, options: Paging = {}): Promise<Page<DroppedTable>> {
    const { call, rest } = split(options);
    return this.#call.page('tables.listDropped', { ...call, params: { env, path: namespace }, query: rest });
  }

  /** Restores the newest drop of that name, or the one with `id`, with data, history and policies. */
  undrop(env: string, table: string, options: CallOptions & BreakGlass & UndropOptions = {}): Promise<Table> {
    const { call, rest } = split(options);
    const body = wired(rest, { newName: 'new_name' });
    return this.#call.request('tables.undrop', { ...call, params: tableParams(env, table), body });
  }

  /** Puts a legal hold on a table's files, until a time or until `release`. */
  hold(
    env: string,
    table: string,
    body: { reason: string; until?: Date | string | undefined },
    options: CallOptions = {},
  ): Promise<Table> {
    const { reason, until } = body;
    const at = until instanceof Date ? until.toISOString() : until;
    return this.#call.request('tables.hold', {
      ...options,
      params: tableParams(env, table),
      body: { reason, ...(at === undefined ? {} : { until: at }) },
    });
  }

  release(env: string, table: string, options: CallOptions = {}): Promise<Table> {
    return this.#call.request('tables.release', { ...options, params: tableParams(env, table) });
  }

  /** Lists deletions of dropped tables that are due, in progress or done, latest due first. */
  purgesPage(env: string, namespace: string, options: Paging = {}): Promise<Page<TablePurge>> {
    const { call, rest } = split(options);
    return this.#call.page('tables.purges', { ...call, params: { env, path: namespace }, query: rest });
  }

  retention(env: string, table: string, options: CallOptions = {}): Promise<TableRetention> {
    return this.#call.request('retention.get', { ...options, params: tableParams(env, table) });
  }

  /** Sets days without activity, a fixed day, or never. @throws TypeError unless exactly one is set */
  setRetention(env: string, table: string, rule: RetentionRule, options: CallOptions = {}): Promise<TableRetention> {
    const { days, on, never } = rule;
    const given = [days, on, never].filter((value) => value !== undefined);
    if (given.length !== 1) throw new TypeError('setRetention takes exactly one of days, on and never');
    const day = on instanceof Date ? on.toISOString().slice(0, 10) : on;
    const body = days !== undefined ? { days } : day !== undefined ? { on: day } : { never: true as const };
    return this.#call.request('retention.set', { ...options, params: tableParams(env, table), body });
  }

  /** Returns the first page. */
  async expiring(env: string, options: Paging & WithinOptions = {}): Promise<ExpiringTable[]> {
    return (await this.expiringPage(env, options)).items;
  }

  /** Lists tables that expire within so many days (default: the warning window), soonest first. */
  expiringPage(env: string, options: Paging & WithinOptions = {}): Promise<Page<ExpiringTable>> {
    const { call, rest } = split(options);
    const query = wired(rest, { withinDays: 'within_days' });
    return this.#call.page('retention.expiring', { ...call, params: { env }, query });
  }

  /** Streams the file of an artifact. */
  download(env: string, table: string, options: CallOptions = {}): Promise<AsyncIterable<Uint8Array>> {
    return this.#call.stream('tables.content', { ...options, params: tableParams(env, table) });
  }
}

/** Splits `<namespace>.<table>` into route parameters. @throws TypeError for an invalid name */
export function tableParams(env: string, table: string): { env: string; path: string; name: string } {
  const dot = table.lastIndexOf('.');
  if (dot <= 0 || dot === table.length - 1) {
    throw new TypeError(`${JSON.stringify(table)} is not a table name. Use <namespace>.<table>.`);
  }
  return { env, path: table.slice(0, dot), name: table.slice(dot + 1) };
}
