import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isForbidden } from '@svc/core/addresses';

/** Resolves a host name to its addresses. */
export type Resolve = (host: string) => Promise<readonly string[]>;

export const systemResolve: Resolve = async (host) =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);

/**
 * Returns the address to connect to for a host (IPv6 may be in brackets); null if none is allowed. Link-local and metadata
 * addresses never are.
 */
export async function allowedAddress(
  host: string,
  resolve: Resolve,
  mayConnect: (address: string) => boolean = () => true,
): Promise<string | null> {
  const name = host.replace(/^\[|\]$/g, '');
  const found = isIP(name) === 0 ? await resolve(name) : [name];
  return found.find((address) => !isForbidden(address) && mayConnect(address)) ?? null;
}
