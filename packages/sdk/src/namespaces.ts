import type { Namespace } from './records.ts';
import type { BreakGlass, CallOptions, Page, Requester } from './request.ts';
import { split } from './split.ts';

type Paging = CallOptions & { limit?: number | undefined; cursor?: string | undefined };

/** Namespaces of an environment; paths are dotted. */
export class Namespaces {
  readonly #call: Requester;

  constructor(call: Requester) {
    this.#call = call;
  }

  create(
    env: string,
    path: string,
    options: CallOptions & BreakGlass & { description?: string | null | undefined } = {},
  ): Promise<Namespace> {
    const { call, rest } = split(options);
    return this.#call.request('namespaces.create', { ...call, params: { env }, body: { path, ...rest } });
  }

  /** Returns the first page. */
  async list(env: string, options: Paging = {}): Promise<Namespace[]> {
    return (await this.listPage(env, options)).items;
  }

  /** Lists the namespaces that the caller may read, by path. */
  listPage(env: string, options: Paging = {}): Promise<Page<Namespace>> {
    const { call, rest } = split(options);
    return this.#call.page('namespaces.list', { ...call, params: { env }, query: rest });
  }

  iter(env: string, options: Paging = {}): AsyncGenerator<Namespace, void, undefined> {
    const { call, rest } = split(options);
    return this.#call.iterate('namespaces.list', { ...call, params: { env }, query: rest });
  }

  get(env: string, path: string, options: CallOptions = {}): Promise<Namespace> {
    return this.#call.request('namespaces.get', { ...options, params: { env, path } });
  }

  update(
    env: string,
    path: string,
    body: { description: string | null },
    options: CallOptions & BreakGlass = {},
  ): Promise<Namespace> {
    return this.#call.request('namespaces.update', { ...options, params: { env, path }, body });
  }

  /** Drops an empty namespace. @throws Conflict if it contains tables or namespaces */
  delete(env: string, path: string, options: CallOptions & BreakGlass = {}): Promise<void> {
    return this.#call.request('namespaces.delete', { ...options, params: { env, path } });
  }
}
