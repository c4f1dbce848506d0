// Generated from the contract by "npm run generate". Do not edit.
import type { CallOptions } from '../request.ts';
import { Resource } from '../resource.ts';
import type { PackageIndex } from './records.ts';

/** Package indexes that projects can install from. */
export class PackageIndexes extends Resource {
  /** List the registered package indexes, by name. */
  list(options: CallOptions = {}): Promise<PackageIndex[]> {
    return this.call.request('packageIndexes.list', options);
  }

  /** Get a package index. */
  get(name: string, options: CallOptions = {}): Promise<PackageIndex> {
    return this.call.request('packageIndexes.get', { ...options, params: { name } });
  }

  /** Remove a package index. Projects that use it stop working until it is registered again. */
  delete(name: string, options: CallOptions = {}): Promise<void> {
    return this.call.request('packageIndexes.delete', { ...options, params: { name } });
  }
}
