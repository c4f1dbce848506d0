// Generated from the contract by "npm run generate". Do not edit.
import type { BreakGlass, CallOptions, Page } from '../request.ts';
import { type Paging, Resource } from '../resource.ts';
import { split } from '../split.ts';
import type { Namespace } from './records.ts';

/** Namespaces of an environment. Their paths are dotted. */
export class Namespaces extends Resource {
  /** Create a namespace. */
  create(
    env: string,
    path: string,
    options: CallOptions & BreakGlass & { description?: string | null | undefined } = {},
  ): Promise<Namespace> {
    const { call, rest } = split(options);
    const body = { path, ...rest };
    return this.call.request('namespaces.create', { ...call, params: { env }, body });
  }

  /** List the namespaces that the caller can read, by path. Returns the first page. */
  async list(env: string, options: Paging = {}): Promise<Namespace[]> {
    return (await this.listPage(env, options)).items;
  }

  /** List the namespaces that the caller can read, by path. Returns one page. */
  listPage(env: string, options: Paging = {}): Promise<Page<Namespace>> {
    const { call, rest } = split(options);
    return this.call.page('namespaces.list', { ...call, params: { env }, query: rest });
  }

  /** List the namespaces that the caller can read, by path. Iterates over all pages. */
  iter(env: string, options: Paging = {}): AsyncGenerator<Namespace, void, undefined> {
    const { call, rest } = split(options);
    return this.call.iterate('namespaces.list', { ...call, params: { env }, query: rest });
  }

  /** Get a namespace. */
  get(env: string, path: string, options: CallOptions = {}): Promise<Namespace> {
    return this.call.request('namespaces.get', { ...options, params: { env, path } });
  }

  /** Change the description of a namespace. */
  update(
    env: string,
    path: string,
    body: { description: string | null },
    options: CallOptions & BreakGlass = {},
  ): Promise<Namespace> {
    return this.call.request('namespaces.update', { ...options, params: { env, path }, body });
  }

  /** Drop an empty namespace. Fails with `Conflict` if it contains tables or namespaces. */
  delete(env: string, path: string, options: CallOptions & BreakGlass = {}): Promise<void> {
    return this.call.request('namespaces.delete', { ...options, params: { env, path } });
  }
}
