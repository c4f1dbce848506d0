import type { Secret } from './records.ts';
import type { CallOptions, Requester } from './request.ts';
import type { BodyOf } from './routes.ts';

/** The one use of a secret: a package index, a repository, or its environment (storage or webhooks). */
export type SecretTarget = BodyOf<'secrets.bind'>;

/** Secrets of an environment; their values are never returned. */
export class Secrets {
  readonly #call: Requester;

  constructor(call: Requester) {
    this.#call = call;
  }

  /** Values are texts by name, such as `username` and `password`. @throws Conflict if the name is taken */
  create(
    env: string,
    name: string,
    values: Record<string, string>,
    target: SecretTarget = {},
    options: CallOptions = {},
  ): Promise<Secret> {
    return this.#call.request('secrets.create', { ...options, params: { env }, body: { name, values, ...target } });
  }

  /** By name. */
  list(env: string, options: CallOptions = {}): Promise<Secret[]> {
    return this.#call.request('secrets.list', { ...options, params: { env } });
  }

  /** Replaces all values. @throws NotFound */
  rotate(env: string, name: string, values: Record<string, string>, options: CallOptions = {}): Promise<Secret> {
    return this.#call.request('secrets.rotate', { ...options, params: { env, name }, body: { values } });
  }

  /** Binds it to one use and ends its previous one. @throws NotFound */
  bind(env: string, name: string, target: SecretTarget, options: CallOptions = {}): Promise<Secret> {
    return this.#call.request('secrets.bind', { ...options, params: { env, name }, body: target });
  }

  /** Revokes the secret and erases its values. @throws NotFound */
  revoke(env: string, name: string, options: CallOptions = {}): Promise<void> {
    return this.#call.request('secrets.revoke', { ...options, params: { env, name } });
  }
}
