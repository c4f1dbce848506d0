import type { Environment } from './records.ts';
import type { CallOptions, Requester } from './request.ts';
import type { BodyOf } from './routes.ts';
import { split } from './split.ts';

export class Environments {
  readonly #call: Requester;

  constructor(call: Requester) {
    this.#call = call;
  }

  create(name: string, options: CallOptions & Omit<BodyOf<'environments.create'>, 'name'> = {}): Promise<Environment> {
    const { call, rest } = split(options);
    return this.#call.request('environments.create', { ...call, body: { name, ...rest } });
  }

  /** Those the caller may read, by name; `deleted: true` lists the deleted ones instead. */
  list(options: CallOptions & { deleted?: boolean | undefined } = {}): Promise<Environment[]> {
    const { call, rest } = split(options);
    return this.#call.request('environments.list', { ...call, query: rest });
  }

  get(name: string, options: CallOptions = {}): Promise<Environment> {
    return this.#call.request('environments.get', { ...options, params: { env: name } });
  }

  /** Protects, unprotects or describes it. */
  update(name: string, body: BodyOf<'environments.update'>, options: CallOptions = {}): Promise<Environment> {
    return this.#call.request('environments.update', { ...options, params: { env: name }, body });
  }
}
