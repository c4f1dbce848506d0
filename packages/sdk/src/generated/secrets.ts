// Generated from the contract by "npm run generate". Do not edit.
import type { CallOptions } from '../request.ts';
import { Resource } from '../resource.ts';
import type { SecretTarget } from './options.ts';
import type { Secret } from './records.ts';

/** Secrets of an environment. Their values are never returned. */
export class Secrets extends Resource {
  /** Create a secret, optionally bound to a use. Values are texts by name, such as `username` and `password`. */
  create(
    env: string,
    name: string,
    values: Record<string, string>,
    target: SecretTarget = {},
    options: CallOptions = {},
  ): Promise<Secret> {
    const body = { name, values, ...target };
    return this.call.request('secrets.create', { ...options, params: { env }, body });
  }

  /** List the secrets of an environment, by name, without their values. */
  list(env: string, options: CallOptions = {}): Promise<Secret[]> {
    return this.call.request('secrets.list', { ...options, params: { env } });
  }

  /** Rotate a secret: replace its values. */
  rotate(env: string, name: string, values: Record<string, string>, options: CallOptions = {}): Promise<Secret> {
    return this.call.request('secrets.rotate', { ...options, params: { env, name }, body: { values } });
  }

  /** Bind a secret to a use. A previous use ends, and the warnings list what stops working. */
  bind(env: string, name: string, target: SecretTarget, options: CallOptions = {}): Promise<Secret> {
    return this.call.request('secrets.bind', { ...options, params: { env, name }, body: target });
  }

  /** Revoke a secret and erase its values. */
  revoke(env: string, name: string, options: CallOptions = {}): Promise<void> {
    return this.call.request('secrets.revoke', { ...options, params: { env, name } });
  }
}
