import type { Permissions, Principal } from './records.ts';
import type { CallOptions, Page, Requester } from './request.ts';
import type { BodyOf, ItemOf } from './routes.ts';
import { split } from './split.ts';

/** `search`: only those whose name contains the text, in any letter case (ACCESS-13). */
export interface SearchOptions extends CallOptions {
  search?: string | undefined;
  /** Rows per page, 1 to 200. */
  limit?: number | undefined;
  cursor?: string | undefined;
}

export interface ScopeOptions {
  environment?: string | undefined;
  namespace?: string | undefined;
  table?: string | undefined;
}

/** An object that a principal's grants cover. */
export type ReachedObject = ItemOf<'access.objects'>;

export interface ObjectsOptions extends CallOptions {
  action?: string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** People and service accounts. */
export class Principals {
  readonly #call: Requester;

  constructor(call: Requester) {
    this.#call = call;
  }

  create(body: BodyOf<'access.createPrincipal'>, options: CallOptions = {}): Promise<Principal> {
    return this.#call.request('access.createPrincipal', { ...options, body });
  }

  get(name: string, options: CallOptions = {}): Promise<Principal> {
    return this.#call.request('access.getPrincipal', { ...options, params: { name } });
  }

  /** Returns the first page. */
  async list(options: SearchOptions = {}): Promise<Principal[]> {
    return (await this.listPage(options)).items;
  }

  /** Newest first. */
  listPage(options: SearchOptions = {}): Promise<Page<Principal>> {
    return this.#call.page('access.listPrincipals', searchOf(options));
  }

  iter(options: SearchOptions = {}): AsyncGenerator<Principal, void, undefined> {
    return this.#call.iterate('access.listPrincipals', searchOf(options));
  }

  update(name: string, body: BodyOf<'access.updatePrincipal'>, options: CallOptions = {}): Promise<Principal> {
    return this.#call.request('access.updatePrincipal', { ...options, params: { name }, body });
  }

  /** Deletes the principal, its grants, memberships and tokens. @throws Conflict for the last administrator */
  delete(name: string, options: CallOptions = {}): Promise<void> {
    return this.#call.request('access.deletePrincipal', { ...options, params: { name } });
  }

  /** Returns a principal's permissions on an object and the grants behind them (ACCESS-14); without names, on the instance. */
  permissions(name: string, scope: ScopeOptions = {}, options: CallOptions = {}): Promise<Permissions> {
    return this.#call.request('access.permissions', { ...options, params: { name }, query: { ...scope } });
  }

  /** Lists the objects that a principal has access to and through which grants, page by page. */
  objectsPage(name: string, options: ObjectsOptions = {}): Promise<Page<ReachedObject>> {
    const { call, rest } = split(options);
    return this.#call.page('access.objects', { ...call, params: { name }, query: rest });
  }

  objects(name: string, options: ObjectsOptions = {}): AsyncGenerator<ReachedObject, void, undefined> {
    const { call, rest } = split(options);
    return this.#call.iterate('access.objects', { ...call, params: { name }, query: rest });
  }
}

export function searchOf(options: SearchOptions) {
  const { call, rest } = split(options);
  const { search, ...paging } = rest;
  return { ...call, query: { q: search, ...paging } };
}
