// Generated from the contract by "npm run generate". Do not edit.
import type { CallOptions, Page } from '../request.ts';
import { Resource } from '../resource.ts';
import type { BodyOf } from '../routes.ts';
import { split } from '../split.ts';
import { type WaitOptions, waitUntilFinished } from '../wait.ts';
import type { DeployFilters } from './options.ts';
import type { Deploy } from './records.ts';

/** Deploys of projects. */
export class Deploys extends Resource {
  /**
   * Deploy a repository, or a bundle of a local folder. Returns immediately. A rejected deploy gets the status
   * `failed`. A dry run with `dev_namespace` stores a version that you can run: it builds its tables inside that
   * namespace.
   */
  create(env: string, body: BodyOf<'deploys.create'>, options: CallOptions = {}): Promise<Deploy> {
    return this.call.request('deploys.create', { ...options, params: { env }, body });
  }

  /** List deploys, newest first. Returns the first page. */
  async list(env: string, filters: DeployFilters = {}): Promise<Deploy[]> {
    return (await this.listPage(env, filters)).items;
  }

  /** List deploys, newest first. Returns one page. */
  listPage(env: string, filters: DeployFilters = {}): Promise<Page<Deploy>> {
    const { call, rest } = split(filters);
    return this.call.page('deploys.list', { ...call, params: { env }, query: rest });
  }

  /** List deploys, newest first. Iterates over all pages. */
  iter(env: string, filters: DeployFilters = {}): AsyncGenerator<Deploy, void, undefined> {
    const { call, rest } = split(filters);
    return this.call.iterate('deploys.list', { ...call, params: { env }, query: rest });
  }

  /** Get a deploy. With `wait` (0 to 60 seconds), returns as soon as it has finished. */
  get(env: string, id: string, options: CallOptions & { wait?: number | undefined } = {}): Promise<Deploy> {
    const { call, rest } = split(options);
    return this.call.request('deploys.get', { ...call, params: { env, id }, query: rest });
  }

  /** Wait until the deploy has finished, whatever its status. */
  wait(env: string, id: string, options: WaitOptions<Deploy> = {}): Promise<Deploy> {
    return waitUntilFinished(this.call, 'deploy', (call) => this.get(env, id, call), options);
  }
}
