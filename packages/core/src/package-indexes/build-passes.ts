import { addressOf, addressText } from './index-address.ts';
import type { IndexAddress } from './index-url.ts';
import type { LockFetch } from './judge-lock.ts';

/** An index with a credential: the operator's has no name. */
export interface CredentialedIndex {
  readonly name: string | null;
  readonly url: string;
}

/** One run of the installer: the packages it installs, what it may reach, and whose credentials it is given. */
export interface BuildPass {
  /** Null: all that the earlier passes have not installed. */
  readonly packages: readonly string[] | null;
  readonly addresses: readonly IndexAddress[];
  readonly credentials: readonly CredentialedIndex[];
}

/**
 * Parts a build so that no index gets the credential of another one. The installer sends a credential to the whole
 * scheme, host and port of its index; where files of another source lie there too, the packages of that index are
 * installed in a pass of their own, in which nothing else is fetched. Gives the name of a package that stands on both
 * sides, which no pass could part.
 */
export function planPasses(
  fetches: readonly LockFetch[],
  credentialed: readonly CredentialedIndex[],
): { passes: BuildPass[]; torn: string | null } {
  const fetchOf = (index: CredentialedIndex) =>
    fetches.find((fetch) => (index.name === null ? fetch.operator : fetch.index === index.name));
  const used = credentialed.filter((index) => fetchOf(index) !== undefined);
  const alone = used.filter((index) => {
    const origin = addressOf(index.url);
    return fetches.some(
      (fetch) =>
        fetch !== fetchOf(index) &&
        fetch.addresses.some((address) => origin !== null && addressText(address) === addressText(origin)),
    );
  });
  const passes: BuildPass[] = alone.map((index) => {
    const { packages, addresses } = fetchOf(index)!;
    return { packages, addresses, credentials: [index] };
  });
  const rest = fetches.filter((fetch) => !alone.some((index) => fetchOf(index) === fetch));
  const addresses = new Map(rest.flatMap((fetch) => fetch.addresses).map((address) => [addressText(address), address]));
  const credentials = used.filter((index) => !alone.includes(index));
  passes.push({ packages: null, addresses: [...addresses.values()], credentials });
  const apart = new Set<string>();
  let torn: string | null = null;
  for (const pass of passes)
    for (const name of pass.packages ?? [])
      if (apart.has(name)) torn ??= name;
      else apart.add(name);
  torn ??= rest.flatMap((fetch) => fetch.packages).find((name) => apart.has(name)) ?? null;
  return { passes, torn };
}
