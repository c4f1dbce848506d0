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

  /** Those in which the caller holds a grant, by name; `deleted: true` lists the deleted ones instead. */
  list(options: CallOptions & { deleted?: boolean | undefined } = {}): Promise<Environment[]> {
    const { call, rest } = split(options);
    return this.#call.request('environments.list', { ...call, query: rest });
  }

  get(name: string, options: CallOptions = {}): Promise<Environment> {
    return this.#call.request('environments.get', { ...options, params: { env: name } });
  }

  /** Protects, unprotects or describes it, has its tables maintained, or says in which bucket they lie. */
  update(name: string, body: BodyOf<'environments.update'>, options: CallOptions = {}): Promise<Environment> {
    return this.#call.request('environments.update', { ...options, params: { env: name }, body });
  }

  /** Deletes it; `restore` brings it back within the undo period, unless `purge` makes its files due at once. */
  delete(name: string, options: CallOptions & BreakGlass & { purge?: boolean | undefined } = {}): Promise<Environment> {
    const { call, rest } = split(options);
    return this.#call.request('environments.delete', { ...call, params: { env: name }, query: rest });
  }

  /** Restores a deleted environment with the tables and grants that its deletion took. */
  restore(name: string, options: CallOptions = {}): Promise<Environment> {
    return this.#call.request('environments.restore', { ...options, params: { env: name } });
  }

  /** Days without use after which its tables that set no retention expire; null turns it off. */
  setRetention(name: string, days: number | null, options: CallOptions = {}): Promise<Environment> {
    return this.#call.request('retention.setEnvironment', { ...options, params: { env: name }, body: { days } });
  }

  /** Which tables would expire when with a retention of so many days from now on; soonest first. */
  previewRetention(
    name: string,
    days: number,
    options: CallOptions & { limit?: number | undefined; cursor?: string | undefined } = {},
  ): Promise<Page<ExpiringTable>> {
    const { call, rest } = split(options);
    return this.#call.page('retention.preview', { ...call, params: { env: name }, query: { days, ...rest } });
  }

  /** What it may hold and run at once, and how much of it is used. */
  quotas(name: string, options: CallOptions = {}): Promise<EnvironmentQuotas> {
    return this.#call.request('quotas.get', { ...options, params: { env: name } });
  }

  /** Sets both quotas; null: the operator's limit, where there is one. */
  setQuotas(name: string, body: BodyOf<'quotas.set'>, options: CallOptions = {}): Promise<EnvironmentQuotas> {
    return this.#call.request('quotas.set', { ...options, params: { env: name }, body });
  }

  /** Folders of tables in storage that no record names, a day old at least. */
  listOrphaned(name: string, options: CallOptions = {}): Promise<OrphanedLocation[]> {
    return this.#call.request('environments.listOrphaned', { ...options, params: { env: name } });
  }

  /** Removes those folders, or the one of `location`; again while the answer says `more`. */
  removeOrphaned(
    name: string,
    options: CallOptions & { location?: string | undefined } = {},
  ): Promise<RemovedLocations> {
    const { call, rest } = split(options);
    return this.#call.request('environments.removeOrphaned', { ...call, params: { env: name }, query: rest });
  }
}
