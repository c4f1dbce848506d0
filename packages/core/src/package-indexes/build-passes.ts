import { addressOf, addressText } from './index-address.ts';
import type { IndexAddress } from './index-url.ts';
import type { LockFetch } from './verify-lock.ts';

/** An index with a credential. The operator's index (`SVC_RUN__INDEX_URL`) has no name. */
export interface CredentialedIndex {
  readonly name: string | null;
  readonly url: string;
}

/** One run of the installer: the packages to install, the addresses it may reach, and the credentials it receives. */
export interface BuildPass {
  /** Null: everything that earlier passes haven't installed. */
  readonly packages: readonly string[] | null;
  readonly addresses: readonly IndexAddress[];
  readonly credentials: readonly CredentialedIndex[];
}

/**
 * Splits a build into passes so that no index receives the credential of another. The installer sends a credential to
 * the whole scheme, host and port of its index. If another source has files there too, the packages of that index are
 * installed in a separate pass that fetches nothing else. `splitPackage` names a package that several passes would have to
 * install, which makes the split impossible.
 */
export function planPasses(
  fetches: readonly LockFetch[],
  credentialed: readonly CredentialedIndex[],
): { passes: BuildPass[]; splitPackage: string | null } {
  const fetchOf = (index: CredentialedIndex) =>
    fetches.find((fetch) => (index.name === null ? fetch.operator : fetch.index === index.name));
  const used = credentialed.filter((index) => fetchOf(index) !== undefined);
  const isolated = used.filter((index) => {
    const origin = addressOf(index.url);
    return fetches.some(
      (fetch) =>
        fetch !== fetchOf(index) &&
        fetch.addresses.some((address) => origin !== null && addressText(address) === addressText(origin)),
    );
  });
  const passes: BuildPass[] = isolated.map((index) => {
    const { packages, addresses } = fetchOf(index)!;
    return { packages, addresses, credentials: [index] };
  });
  const rest = fetches.filter((fetch) => !isolated.some((index) => fetchOf(index) === fetch));
  const addresses = new Map(rest.flatMap((fetch) => fetch.addresses).map((address) => [addressText(address), address]));
  const credentials = used.filter((index) => !isolated.includes(index));
  passes.push({ packages: null, addresses: [...addresses.values()], credentials });
  const installed = new Set<string>();
  let splitPackage: string | null = null;
  for (const pass of passes)
    for (const name of pass.packages ?? [])
      if (installed.has(name)) splitPackage ??= name;
      else installed.add(name);
  splitPackage ??= rest.flatMap((fetch) => fetch.packages).find((name) => installed.has(name)) ?? null;
  return { passes, splitPackage };
}
