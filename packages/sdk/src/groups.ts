import { type SearchOptions, searchOf } from './principals.ts';
import type { Group, Principal } from './records.ts';
import type { CallOptions, Page, Requester } from './request.ts';

/** Groups of principals. */
export class Groups {
  readonly #call: Requester;

  constructor(call: Requester) {
    this.#call = call;
  }

  create(name: string, options: CallOptions = {}): Promise<Group> {
    return this.#call.request('access.createGroup', { ...options, body: { name } });
  }

  get(name: string, options: CallOptions = {}): Promise<Group> {
    return this.#call.request('access.getGroup', { ...options, params: { name } });
  }

  /** Returns the first page. */
  async list(options: SearchOptions = {}): Promise<Group[]> {
    return (await this.listPage(options)).items;
  }

  /** Newest first. */
  listPage(options: SearchOptions = {}): Promise<Page<Group>> {
    return this.#call.page('access.listGroups', searchOf(options));
  }

  iter(options: SearchOptions = {}): AsyncGenerator<Group, void, undefined> {
    return this.#call.iterate('access.listGroups', searchOf(options));
  }

  /** Deletes the group, its grants and its memberships. */
  delete(name: string, options: CallOptions = {}): Promise<void> {
    return this.#call.request('access.deleteGroup', { ...options, params: { name } });
  }

  members(name: string, options: CallOptions = {}): Promise<Principal[]> {
    return this.#call.request('access.listMembers', { ...options, params: { name } });
  }

  addMember(name: string, principal: string, options: CallOptions = {}): Promise<void> {
    return this.#call.request('access.addMember', { ...options, params: { name, principal } });
  }

  removeMember(name: string, principal: string, options: CallOptions = {}): Promise<void> {
    return this.#call.request('access.removeMember', { ...options, params: { name, principal } });
  }
}
