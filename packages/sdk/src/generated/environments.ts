// Generated from the contract by "npm run generate". Do not edit.
import type { BreakGlass, CallOptions, Page } from '../request.ts';
import { type Paging, Resource } from '../resource.ts';
import type { BodyOf } from '../routes.ts';
import { split } from '../split.ts';
import type {
  Environment,
  EnvironmentQuotas,
  EnvironmentSummary,
  ExpiringTable,
  OrphanedLocation,
  RemovedLocations,
} from './records.ts';

/** Environments, each with its own namespaces, tables, jobs and secrets. */
export class Environments extends Resource {
  /**
   * Create an environment. With `storage_location` (the location of a bucket, such as `s3://bucket/prefix`), its tables
   * are stored there.
   */
  create(name: string, options: CallOptions & Omit<BodyOf<'environments.create'>, 'name'> = {}): Promise<Environment> {
    const { call, rest } = split(options);
    const body = { name, ...rest };
    return this.call.request('environments.create', { ...call, body });
  }

  /**
   * List the environments in which the caller has a grant, by name; their settings are null without READ_ENVIRONMENT.
   * With `deleted`, lists the deleted ones.
   */
  list(options: CallOptions & { deleted?: boolean | undefined } = {}): Promise<Environment[]> {
    const { call, rest } = split(options);
    return this.call.request('environments.list', { ...call, query: rest });
  }

  /** Get an environment. */
  get(name: string, options: CallOptions = {}): Promise<Environment> {
    return this.call.request('environments.get', { ...options, params: { env: name } });
  }

  /**
   * Change the protection, description or maintenance of an environment, or, with MANAGE_ENVIRONMENT on the instance,
   * its storage. `null` removes the description, the automatic maintenance or the storage. The storage can only change
   * while it is empty.
   */
  update(name: string, body: BodyOf<'environments.update'>, options: CallOptions = {}): Promise<Environment> {
    return this.call.request('environments.update', { ...options, params: { env: name }, body });
  }

  /** Delete an environment. It can be restored during the undo period. With `purge`, it can't be restored. */
  delete(name: string, options: CallOptions & BreakGlass & { purge?: boolean | undefined } = {}): Promise<Environment> {
    const { call, rest } = split(options);
    return this.call.request('environments.delete', { ...call, params: { env: name }, query: rest });
  }

  /** Restore a deleted environment with its tables and grants. */
  restore(name: string, options: CallOptions = {}): Promise<Environment> {
    return this.call.request('environments.restore', { ...options, params: { env: name } });
  }

  /** List orphaned table folders in storage that are at least a day old. */
  listOrphaned(name: string, options: CallOptions = {}): Promise<OrphanedLocation[]> {
    return this.call.request('environments.listOrphaned', { ...options, params: { env: name } });
  }

  /**
   * Remove orphaned table folders in storage that are at least a day old: all, or one. Repeat it while the result has
   * `more`.
   */
  removeOrphaned(
    name: string,
    options: CallOptions & { location?: string | undefined } = {},
  ): Promise<RemovedLocations> {
    const { call, rest } = split(options);
    return this.call.request('environments.removeOrphaned', { ...call, params: { env: name }, query: rest });
  }

  /** Get the quotas of an environment and their usage. */
  quotas(name: string, options: CallOptions = {}): Promise<EnvironmentQuotas> {
    return this.call.request('quotas.get', { ...options, params: { env: name } });
  }

  /** Set the storage and concurrency quotas of an environment; null: the default of the operator. */
  setQuotas(name: string, body: BodyOf<'quotas.set'>, options: CallOptions = {}): Promise<EnvironmentQuotas> {
    return this.call.request('quotas.set', { ...options, params: { env: name }, body });
  }

  /**
   * Summarize an environment: runs, storage, the tables read last, and those that expire or can be restored. Each list
   * has up to 10 tables. Parts that the caller has no permission for are null.
   */
  summary(name: string, options: CallOptions = {}): Promise<EnvironmentSummary> {
    return this.call.request('summary.get', { ...options, params: { env: name } });
  }

  /** Set the default retention of an environment, in days without use; null: none. */
  setRetention(name: string, days: number | null, options: CallOptions = {}): Promise<Environment> {
    return this.call.request('retention.setEnvironment', { ...options, params: { env: name }, body: { days } });
  }

  /** Preview which tables would expire, and when, with a default retention of this many days. Returns one page. */
  previewRetention(name: string, days: number, options: Paging = {}): Promise<Page<ExpiringTable>> {
    const { call, rest } = split(options);
    const query = { days, ...rest };
    return this.call.page('retention.preview', { ...call, params: { env: name }, query });
  }
}
