// Generated from the contract by "npm run generate". Do not edit.
import type { CallOptions, Page } from '../request.ts';
import { Resource } from '../resource.ts';
import { split, wired } from '../split.ts';
import type { SearchOptions } from './options.ts';
import type { Group, Principal } from './records.ts';

/** Groups of principals. */
export class Groups extends Resource {
  /** Create a group. */
  create(name: string, options: CallOptions = {}): Promise<Group> {
    return this.call.request('access.createGroup', { ...options, body: { name } });
  }

  /** List groups, newest first. Returns the first page. */
  async list(options: SearchOptions = {}): Promise<Group[]> {
    return (await this.listPage(options)).items;
  }

  /** List groups, newest first. Returns one page. */
  listPage(options: SearchOptions = {}): Promise<Page<Group>> {
    const { call, rest } = split(options);
    const query = wired(rest, { search: 'q' });
    return this.call.page('access.listGroups', { ...call, query });
  }

  /** List groups, newest first. Iterates over all pages. */
  iter(options: SearchOptions = {}): AsyncGenerator<Group, void, undefined> {
    const { call, rest } = split(options);
    const query = wired(rest, { search: 'q' });
    return this.call.iterate('access.listGroups', { ...call, query });
  }

  /** Get a group. */
  get(name: string, options: CallOptions = {}): Promise<Group> {
    return this.call.request('access.getGroup', { ...options, params: { name } });
  }

  /** Delete a group with its grants and memberships. */
  delete(name: string, options: CallOptions = {}): Promise<void> {
    return this.call.request('access.deleteGroup', { ...options, params: { name } });
  }

  /** List the members of a group. */
  members(name: string, options: CallOptions = {}): Promise<Principal[]> {
    return this.call.request('access.listMembers', { ...options, params: { name } });
  }

  /** Add a principal to a group. */
  addMember(name: string, principal: string, options: CallOptions = {}): Promise<void> {
    return this.call.request('access.addMember', { ...options, params: { name, principal } });
  }

  /** Remove a principal from a group. */
  removeMember(name: string, principal: string, options: CallOptions = {}): Promise<void> {
    return this.call.request('access.removeMember', { ...options, params: { name, principal } });
  }
}
