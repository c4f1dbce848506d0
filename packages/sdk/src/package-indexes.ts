import { PackageIndexes as GeneratedPackageIndexes } from './generated/package-indexes.ts';
import type { PackageIndex } from './records.ts';
import type { CallOptions } from './request.ts';
import type { BodyOf } from './routes.ts';

/** Optional fields of a new package index. */
export interface NewPackageIndex {
  /** Name of the secret with user name and password. */
  credential_secret?: string | null;
}

/** Fields that can be changed; `credential_secret: null` clears it. */
export type PackageIndexChanges = Pick<BodyOf<'packageIndexes.update'>, 'url' | 'credential_secret'>;

/** @throws TypeError for an unknown key, because a misspelled one would be ignored silently */
function requireKnown(fields: object, known: readonly string[], what: string): void {
  const unknown = Object.keys(fields).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new TypeError(`${unknown} ${what}: only ${known.join(' and ')} can`);
}

/** Package indexes that projects can install from (INDEX-12). */
export class PackageIndexes extends GeneratedPackageIndexes {
  /** @throws TypeError, before any request, for anything in `index` but `credential_secret` */
  async create(
    name: string,
    url: string,
    index: NewPackageIndex = {},
    options: CallOptions = {},
  ): Promise<PackageIndex> {
    requireKnown(index, ['credential_secret'], 'of a package index cannot be set');
    const { credential_secret = null } = index;
    return this.call.request('packageIndexes.create', { ...options, body: { name, url, credential_secret } });
  }

  /** @throws TypeError, before any request, for anything but `url` and `credential_secret` */
  async update(name: string, changes: PackageIndexChanges, options: CallOptions = {}): Promise<PackageIndex> {
    requireKnown(changes, ['url', 'credential_secret'], 'of a package index cannot be changed');
    return this.call.request('packageIndexes.update', { ...options, params: { name }, body: changes });
  }
}
