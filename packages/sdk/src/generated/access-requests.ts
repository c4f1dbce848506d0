// Generated from the contract by "npm run generate". Do not edit.
import type { CallOptions, Page } from '../request.ts';
import { Resource } from '../resource.ts';
import type { BodyOf } from '../routes.ts';
import { split } from '../split.ts';
import type { AccessRequestFilters } from './options.ts';
import type { AccessRequest } from './records.ts';

/** Requests for access, which administrators approve or reject. */
export class AccessRequests extends Resource {
  /**
   * Request a role or a single action on an object for yourself. The object is the innermost one that is named; without
   * any name, the instance. It need not be visible to you.
   */
  create(
    body: { role?: string | undefined; action?: string | undefined; environment?: string | undefined; namespace?: string | undefined; table?: string | undefined; service_account?: string | undefined; reason?: string | null | undefined; expires_at?: Date | string | undefined } = {},
    options: CallOptions = {},
  ): Promise<AccessRequest> {
    return this.call.request('accessRequests.create', { ...options, body: body as BodyOf<'accessRequests.create'> });
  }

  /**
   * List the caller's requests for access, newest first; with `ADMIN` on the instance those of everyone. Returns the
   * first page.
   */
  async list(filters: AccessRequestFilters = {}): Promise<AccessRequest[]> {
    return (await this.listPage(filters)).items;
  }

  /**
   * List the caller's requests for access, newest first; with `ADMIN` on the instance those of everyone. Returns one
   * page.
   */
  listPage(filters: AccessRequestFilters = {}): Promise<Page<AccessRequest>> {
    const { call, rest } = split(filters);
    return this.call.page('accessRequests.list', { ...call, query: rest });
  }

  /**
   * List the caller's requests for access, newest first; with `ADMIN` on the instance those of everyone. Iterates over
   * all pages.
   */
  iter(filters: AccessRequestFilters = {}): AsyncGenerator<AccessRequest, void, undefined> {
    const { call, rest } = split(filters);
    return this.call.iterate('accessRequests.list', { ...call, query: rest });
  }

  /** Approve a request for access, which creates the grant. */
  approve(id: string, options: CallOptions & BodyOf<'accessRequests.approve'> = {}): Promise<AccessRequest> {
    const { call, rest } = split(options);
    return this.call.request('accessRequests.approve', {
      ...call,
      params: { id },
      body: rest as BodyOf<'accessRequests.approve'>,
    });
  }

  /** Reject a request for access. */
  reject(id: string, options: CallOptions & { comment?: string | null | undefined } = {}): Promise<AccessRequest> {
    const { call, rest } = split(options);
    return this.call.request('accessRequests.reject', { ...call, params: { id }, body: rest });
  }

  /** Withdraw a pending request for access of yours. */
  withdraw(id: string, options: CallOptions = {}): Promise<void> {
    return this.call.request('accessRequests.withdraw', { ...options, params: { id } });
  }
}
