// Generated from the contract by "npm run generate". Do not edit.
import type { CallOptions, Page } from '../request.ts';
import { Resource } from '../resource.ts';
import type { BodyOf } from '../routes.ts';
import { split } from '../split.ts';
import type { GrantFilters } from './options.ts';
import type { Grant } from './records.ts';

/** Roles and single actions that are granted to principals and groups. */
export class Grants extends Resource {
  /** Grant a role or a single action. It applies to a principal or a group, on the object of that kind. */
  create(
    body: { kind: string; principal?: string | undefined; group?: string | undefined; role?: string | undefined; action?: string | undefined; environment?: string | undefined; namespace?: string | undefined; table?: string | undefined; service_account?: string | undefined; expires_at?: Date | string | undefined },
    options: CallOptions = {},
  ): Promise<Grant> {
    return this.call.request('access.createGrant', { ...options, body: body as BodyOf<'access.createGrant'> });
  }

  /**
   * List active grants, newest first. Filters combine with AND. At most one of `principal_name` and `group_name` can be
   * set. Returns the first page.
   */
  async list(filters: GrantFilters = {}): Promise<Grant[]> {
    return (await this.listPage(filters)).items;
  }

  /**
   * List active grants, newest first. Filters combine with AND. At most one of `principal_name` and `group_name` can be
   * set. Returns one page.
   */
  listPage(filters: GrantFilters = {}): Promise<Page<Grant>> {
    const { call, rest } = split(filters);
    return this.call.page('access.listGrants', { ...call, query: rest });
  }

  /**
   * List active grants, newest first. Filters combine with AND. At most one of `principal_name` and `group_name` can be
   * set. Iterates over all pages.
   */
  iter(filters: GrantFilters = {}): AsyncGenerator<Grant, void, undefined> {
    const { call, rest } = split(filters);
    return this.call.iterate('access.listGrants', { ...call, query: rest });
  }

  /** Revoke a grant. */
  revoke(id: string, options: CallOptions = {}): Promise<void> {
    return this.call.request('access.revokeGrant', { ...options, params: { id } });
  }
}
