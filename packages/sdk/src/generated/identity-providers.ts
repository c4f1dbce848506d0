// Generated from the contract by "npm run generate". Do not edit.
import type { CallOptions } from '../request.ts';
import { Resource } from '../resource.ts';
import type { BodyOf } from '../routes.ts';
import type { IdentityProvider } from './records.ts';

/** Identity providers that people sign in with. Their client secrets are never returned. */
export class IdentityProviders extends Resource {
  /** Register an identity provider that people can sign in with. The client secret is never returned. */
  create(body: BodyOf<'identityProviders.create'>, options: CallOptions = {}): Promise<IdentityProvider> {
    return this.call.request('identityProviders.create', { ...options, body });
  }

  /** List the identity providers, by name. */
  list(options: CallOptions = {}): Promise<IdentityProvider[]> {
    return this.call.request('identityProviders.list', options);
  }

  /** Get an identity provider. */
  get(name: string, options: CallOptions = {}): Promise<IdentityProvider> {
    return this.call.request('identityProviders.get', { ...options, params: { name } });
  }

  /**
   * Change an identity provider. Its name and issuer stay. `client_secret` and `groups_claim` are cleared with `null`.
   */
  update(name: string, body: BodyOf<'identityProviders.update'>, options: CallOptions = {}): Promise<IdentityProvider> {
    return this.call.request('identityProviders.update', { ...options, params: { name }, body });
  }

  /** Delete an identity provider with its identities and the memberships that come from it. */
  delete(name: string, options: CallOptions = {}): Promise<void> {
    return this.call.request('identityProviders.delete', { ...options, params: { name } });
  }
}
