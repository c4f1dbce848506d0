// Generated from the contract by "npm run generate". Do not edit.
import type { CallOptions, Page } from '../request.ts';
import { Resource } from '../resource.ts';
import type { BodyOf } from '../routes.ts';
import { split, wired } from '../split.ts';
import type { ObjectsOptions, ScopeOptions, SearchOptions } from './options.ts';
import type { Permissions, Principal, ReachedObject, SignInMethods } from './records.ts';

/** People and service accounts. */
export class Principals extends Resource {
  /** Create a person or a service account. Only a person can have a password. */
  create(body: BodyOf<'access.createPrincipal'>, options: CallOptions = {}): Promise<Principal> {
    return this.call.request('access.createPrincipal', { ...options, body });
  }

  /** List principals, newest first. Returns the first page. */
  async list(options: SearchOptions = {}): Promise<Principal[]> {
    return (await this.listPage(options)).items;
  }

  /** List principals, newest first. Returns one page. */
  listPage(options: SearchOptions = {}): Promise<Page<Principal>> {
    const { call, rest } = split(options);
    const query = wired(rest, { search: 'q' });
    return this.call.page('access.listPrincipals', { ...call, query });
  }

  /** List principals, newest first. Iterates over all pages. */
  iter(options: SearchOptions = {}): AsyncGenerator<Principal, void, undefined> {
    const { call, rest } = split(options);
    const query = wired(rest, { search: 'q' });
    return this.call.iterate('access.listPrincipals', { ...call, query });
  }

  /** Get a principal. */
  get(name: string, options: CallOptions = {}): Promise<Principal> {
    return this.call.request('access.getPrincipal', { ...options, params: { name } });
  }

  /** Activate or deactivate a principal, or set its password. `null` removes the password. */
  update(name: string, body: BodyOf<'access.updatePrincipal'>, options: CallOptions = {}): Promise<Principal> {
    return this.call.request('access.updatePrincipal', { ...options, params: { name }, body });
  }

  /** Delete a principal with its grants, memberships and tokens. Fails with `Conflict` for the last administrator. */
  delete(name: string, options: CallOptions = {}): Promise<void> {
    return this.call.request('access.deletePrincipal', { ...options, params: { name } });
  }

  /**
   * List the actions that a principal is allowed on an object, and the grants that allow them. The default object is
   * the instance.
   */
  permissions(name: string, scope: ScopeOptions = {}, options: CallOptions = {}): Promise<Permissions> {
    return this.call.request('access.permissions', { ...options, params: { name }, query: scope });
  }

  /** List the objects that a principal can access, and the grants that allow it. Returns one page. */
  objectsPage(name: string, options: ObjectsOptions = {}): Promise<Page<ReachedObject>> {
    const { call, rest } = split(options);
    return this.call.page('access.objects', { ...call, params: { name }, query: rest });
  }

  /** List the objects that a principal can access, and the grants that allow it. Iterates over all pages. */
  objects(name: string, options: ObjectsOptions = {}): AsyncGenerator<ReachedObject, void, undefined> {
    const { call, rest } = split(options);
    return this.call.iterate('access.objects', { ...call, params: { name }, query: rest });
  }

  /** Get how a principal can sign in: its e-mail address, its password, and its identities. */
  signInMethods(name: string, options: CallOptions = {}): Promise<SignInMethods> {
    return this.call.request('identityProviders.signInMethods', { ...options, params: { name } });
  }

  /** Set the e-mail address that identities may be linked to. `null` removes it. Linked identities stay. */
  setEmail(name: string, email: string | null, options: CallOptions = {}): Promise<SignInMethods> {
    return this.call.request('identityProviders.setEmail', { ...options, params: { name }, body: { email } });
  }

  /** Link a person to a subject of an identity provider. */
  linkIdentity(name: string, provider: string, subject: string, options: CallOptions = {}): Promise<SignInMethods> {
    return this.call.request('identityProviders.link', { ...options, params: { name, provider }, body: { subject } });
  }

  /** Unlink a person from an identity provider, with the memberships that come from it. */
  unlinkIdentity(name: string, provider: string, options: CallOptions = {}): Promise<void> {
    return this.call.request('identityProviders.unlink', { ...options, params: { name, provider } });
  }

  /** Remove all second factors and recovery codes that a person has lost. */
  removeSecondFactors(name: string, options: CallOptions = {}): Promise<void> {
    return this.call.request('secondFactors.removeOfOther', { ...options, params: { name } });
  }
}
