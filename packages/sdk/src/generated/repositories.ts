// Generated from the contract by "npm run generate". Do not edit.
import type { CallOptions } from '../request.ts';
import { Resource } from '../resource.ts';
import type { BodyOf } from '../routes.ts';
import type { Repository } from './records.ts';

/** Repositories, the sources of projects. */
export class Repositories extends Resource {
  /** Register a repository. Without a `url`, it accepts only bundles of local folders. */
  create(body: BodyOf<'repositories.create'>, options: CallOptions = {}): Promise<Repository> {
    return this.call.request('repositories.create', { ...options, body });
  }

  /** List the registered repositories, by name. */
  list(options: CallOptions = {}): Promise<Repository[]> {
    return this.call.request('repositories.list', options);
  }

  /** Get a repository. */
  get(name: string, options: CallOptions = {}): Promise<Repository> {
    return this.call.request('repositories.get', { ...options, params: { name } });
  }

  /** Change a repository. `null` clears a field. */
  update(name: string, body: BodyOf<'repositories.update'>, options: CallOptions = {}): Promise<Repository> {
    return this.call.request('repositories.update', { ...options, params: { name }, body });
  }

  /** Remove a repository that is not deployed anywhere. Fails with `Conflict` while it is deployed anywhere. */
  delete(name: string, options: CallOptions = {}): Promise<void> {
    return this.call.request('repositories.delete', { ...options, params: { name } });
  }
}
