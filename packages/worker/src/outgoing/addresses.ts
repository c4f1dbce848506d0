import { lookup } from 'node:dns/promises';
import { BlockList, isIP, isIPv6 } from 'node:net';

/** Finds the addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

export const systemResolve: Resolve = async (host) =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);

/** Link-local and metadata addresses, and those that are no host's: refused in every outgoing request. */
const NEVER = new BlockList();
NEVER.addSubnet('169.254.0.0', 16, 'ipv4');
NEVER.addSubnet('0.0.0.0', 8, 'ipv4');
NEVER.addSubnet('224.0.0.0', 3, 'ipv4');
NEVER.addAddress('100.100.100.200', 'ipv4');
NEVER.addAddress('168.63.129.16', 'ipv4');
NEVER.addSubnet('fe80::', 10, 'ipv6');
NEVER.addSubnet('ff00::', 8, 'ipv6');
NEVER.addAddress('::', 'ipv6');
NEVER.addAddress('fd00:ec2::254', 'ipv6');

/** Addresses of networks of one's own, and those that name nothing in the public network. */
const PRIVATE_V4 = blockList('ipv4', [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
]);
/** All but 2000::/3, and of that Teredo, documentation and 6to4. A list of its own: `::/3` holds every mapped IPv4. */
const PRIVATE_V6 = blockList('ipv6', [
  '::/3',
  '4000::/2',
  '8000::/1',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]);

function blockList(family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [net, prefix] = range.split('/');
    list.addSubnet(net!, Number(prefix), family);
  }
  return list;
}

/** Whether an IP address is one of the public network, in whichever form it is written. */
export function isPublic(address: string): boolean {
  if (isForbidden(address)) return false;
  if (!isIPv6(address)) return !PRIVATE_V4.check(address, 'ipv4');
  const inner = embeddedV4(address);
  return inner === null ? !PRIVATE_V6.check(address, 'ipv6') : !PRIVATE_V4.check(inner, 'ipv4');
}

/** Whether an IP address must never be connected to, in whichever form it is written. */
export function isForbidden(address: string): boolean {
  if (!isIPv6(address)) return NEVER.check(address, 'ipv4');
  const inner = embeddedV4(address);
  return NEVER.check(address, 'ipv6') || (inner !== null && NEVER.check(inner, 'ipv4'));
}

/** The IPv4 address inside an IPv6 one: mapped, compatible, or translated (64:ff9b::/96). */
function embeddedV4(address: string): string | null {
  const full = new URL(`http://[${address.replace(/%.*$/, '')}]/`).hostname.slice(1, -1);
  const match = /^(?:::(?:ffff:)?(?:0:)?|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(full);
  if (match === null) return null;
  const [high, low] = [Number.parseInt(match[1]!, 16), Number.parseInt(match[2]!, 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** The address to connect to for a host (an IPv6 one may stand in brackets); null when none is allowed. */
export async function allowedAddress(host: string, resolve: Resolve): Promise<string | null> {
  const name = host.replace(/^\[|\]$/g, '');
  const found = isIP(name) === 0 ? await resolve(name) : [name];
  return found.find((address) => !isForbidden(address)) ?? null;
}
