import type { Grant, RevocationPreview } from './records.ts';
import type { CallOptions, Page, Requester } from './request.ts';
import type { BodyOf } from './routes.ts';
import { split } from './split.ts';

/** Filters combine with AND (ACCESS-12). */
export interface GrantFilters extends CallOptions {
  principal_name?: string | undefined;
  group_name?: string | undefined;
  action?: string | undefined;
  environment?: string | undefined;
  namespace?: string | undefined;
  table?: string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** Roles and single actions granted to principals and groups. */
export class Grants {
  readonly #call: Requester;

  constructor(call: Requester) {
    this.#call = call;
  }

  create(body: BodyOf<'access.createGrant'>, options: CallOptions = {}): Promise<Grant> {
    return this.#call.request('access.createGrant', { ...options, body });
  }

  /** Returns the first page. */
  async list(filters: GrantFilters = {}): Promise<Grant[]> {
    return (await this.listPage(filters)).items;
  }

  /** Active grants, newest first. */
  listPage(filters: GrantFilters = {}): Promise<Page<Grant>> {
    const { call, rest } = split(filters);
    return this.#call.page('access.listGrants', { ...call, query: rest });
  }

  iter(filters: GrantFilters = {}): AsyncGenerator<Grant, void, undefined> {
    const { call, rest } = split(filters);
    return this.#call.iterate('access.listGrants', { ...call, query: rest });
  }

  revoke(id: string, options: CallOptions = {}): Promise<void> {
    return this.#call.request('access.revokeGrant', { ...options, params: { id } });
  }

  /** Previews which permissions a revocation would remove. */
  async previewRevocation(id: string, options: CallOptions = {}): Promise<RevocationPreview> {
    const { body } = await this.#call.answer('access.revokeGrant', {
      ...options,
      params: { id },
      query: { dry_run: true },
    });
    return body as RevocationPreview;
  }
}
