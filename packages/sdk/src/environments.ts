import type { Environment, EnvironmentQuotas } from './records.ts';
import type { BreakGlass, CallOptions, Page, Requester } from './request.ts';
import type { AnswerOf, BodyOf, ItemOf } from './routes.ts';
import { split } from './split.ts';
import type { ExpiringTable } from './tables.ts';

export type OrphanedLocation = ItemOf<'environments.listOrphaned'>;
export type RemovedLocations = AnswerOf<'environments.removeOrphaned'>;

export class Environments {
  readonly #call: Requester;

  constructor(call: Requester) {
    this.#call = call;
  }

  create(name: string, options: CallOptions & Omit<BodyOf<'environments.create'>, 'name'> = {}): Promise<Environment> {
    const { call, rest } = split(options);
    return this.#call.request('environments.create', { ...call, body: { name, ...rest } });
  }

  /** Lists the environments in which the caller has a grant, by name; with `deleted: true`, the deleted ones. */
  list(options: CallOptions & { deleted?: boolean | undefined } = {}): Promise<Environment[]> {
    const { call, rest } = split(options);
    return this.#call.request('environments.list', { ...call, query: rest });
  }

  get(name: string, options: CallOptions = {}): Promise<Environment> {
    return this.#call.request('environments.get', { ...options, params: { env: name } });
  }

  /** Changes protection, description, automatic maintenance or the bucket of its tables. */
  update(name: string, body: BodyOf<'environments.update'>, options: CallOptions = {}): Promise<Environment> {
    return this.#call.request('environments.update', { ...options, params: { env: name }, body });
  }

  /** Deletes it. `restore` brings it back within the undo period, unless `purge` is set. */
  delete(name: string, options: CallOptions & BreakGlass & { purge?: boolean | undefined } = {}): Promise<Environment> {
    const { call, rest } = split(options);
    return this.#call.request('environments.delete', { ...call, params: { env: name }, query: rest });
  }

  /** Restores a deleted environment with the tables and grants that the deletion removed. */
  restore(name: string, options: CallOptions = {}): Promise<Environment> {
    return this.#call.request('environments.restore', { ...options, params: { env: name } });
  }

  /** Sets the days without activity after which tables without a rule of their own expire; null turns it off. */
  setRetention(name: string, days: number | null, options: CallOptions = {}): Promise<Environment> {
    return this.#call.request('retention.setEnvironment', { ...options, params: { env: name }, body: { days } });
  }

  /** Previews which tables would expire with a retention of so many days, soonest first. */
  previewRetention(
    name: string,
    days: number,
    options: CallOptions & { limit?: number | undefined; cursor?: string | undefined } = {},
  ): Promise<Page<ExpiringTable>> {
    const { call, rest } = split(options);
    return this.#call.page('retention.preview', { ...call, params: { env: name }, query: { days, ...rest } });
  }

  /** Returns its quotas and how much of them is used. */
  quotas(name: string, options: CallOptions = {}): Promise<EnvironmentQuotas> {
    return this.#call.request('quotas.get', { ...options, params: { env: name } });
  }

  /** Sets both quotas; null means the operator's limit, if there is one. */
  setQuotas(name: string, body: BodyOf<'quotas.set'>, options: CallOptions = {}): Promise<EnvironmentQuotas> {
    return this.#call.request('quotas.set', { ...options, params: { env: name }, body });
  }

  /** Lists table folders in storage that no record refers to and that are at least a day old. */
  listOrphaned(name: string, options: CallOptions = {}): Promise<OrphanedLocation[]> {
    return this.#call.request('environments.listOrphaned', { ...options, params: { env: name } });
  }

  /** Removes those folders, or the one of `location`. Call it again while the result has `more`. */
  removeOrphaned(
    name: string,
    options: CallOptions & { location?: string | undefined } = {},
  ): Promise<RemovedLocations> {
    const { call, rest } = split(options);
    return this.#call.request('environments.removeOrphaned', { ...call, params: { env: name }, query: rest });
  }
}
