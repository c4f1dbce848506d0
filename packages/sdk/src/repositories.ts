import type { Repository } from './records.ts';
import type { CallOptions, Requester } from './request.ts';
import type { BodyOf } from './routes.ts';

/** Repositories, the sources of projects. */
export class Repositories {
  readonly #call: Requester;

  constructor(call: Requester) {
    this.#call = call;
  }

  /** Without a `url`, the repository accepts bundles of working folders only. */
  create(body: BodyOf<'repositories.create'>, options: CallOptions = {}): Promise<Repository> {
    return this.#call.request('repositories.create', { ...options, body });
  }

  list(options: CallOptions = {}): Promise<Repository[]> {
    return this.#call.request('repositories.list', options);
  }

  get(name: string, options: CallOptions = {}): Promise<Repository> {
    return this.#call.request('repositories.get', { ...options, params: { name } });
  }

  update(name: string, body: BodyOf<'repositories.update'>, options: CallOptions = {}): Promise<Repository> {
    return this.#call.request('repositories.update', { ...options, params: { name }, body });
  }

  /** @throws Conflict while it is deployed in an environment */
  delete(name: string, options: CallOptions = {}): Promise<void> {
    return this.#call.request('repositories.delete', { ...options, params: { name } });
  }
}
