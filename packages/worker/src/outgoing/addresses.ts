import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isForbidden } from '@svc/core/addresses';

/** Finds the addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

export const systemResolve: Resolve = async (host) =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);

/** The address to connect to for a host (an IPv6 one may stand in brackets); null when none is allowed. */
export async function allowedAddress(host: string, resolve: Resolve): Promise<string | null> {
  const name = host.replace(/^\[|\]$/g, '');
  const found = isIP(name) === 0 ? await resolve(name) : [name];
  return found.find((address) => !isForbidden(address)) ?? null;
}
