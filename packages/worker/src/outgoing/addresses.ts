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
  const groups = groupsOf(address);
  const inner = translatedV4(groups);
  return inner === null ? !PRIVATE_V6.check(address, 'ipv6') : !PRIVATE_V4.check(inner, 'ipv4');
}

/** Whether an IP address must never be connected to, in whichever form it is written. */
export function isForbidden(address: string): boolean {
  if (!isIPv6(address)) return NEVER.check(address, 'ipv4');
  const groups = groupsOf(address);
  // Of several readings of one address, 0.x is the one that is not meant.
  const meant = tunnelledV4(groups).filter((inner) => !inner.startsWith('0.'));
  const inner = translatedV4(groups);
  if (inner !== null) meant.push(inner);
  return NEVER.check(address, 'ipv6') || meant.some((one) => NEVER.check(one, 'ipv4'));
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const full = new URL(`http://[${address.split('%')[0]}]/`).hostname.slice(1, -1);
  const [head = '', tail] = full.split('::');
  const read = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  if (tail === undefined) return read(head);
  const [front, back] = [read(head), read(tail)];
  return [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back];
}

const v4 = (high: number, low: number): string => [high >> 8, high & 255, low >> 8, low & 255].join('.');

/** The IPv4 address that an IPv6 one stands for: mapped, compatible, or translated (64:ff9b::/96). */
function translatedV4(groups: readonly number[]): string | null {
  const start = groups
    .slice(0, 6)
    .map((group) => group.toString(16))
    .join(':');
  const known = ['0:0:0:0:0:0', '0:0:0:0:0:ffff', '0:0:0:0:ffff:0', '64:ff9b:0:0:0:0'];
  // "::" and "::1" are addresses of their own.
  const own = start === known[0] && groups[6] === 0;
  return known.includes(start) && !own ? v4(groups[6]!, groups[7]!) : null;
}

/** IPv4 addresses that routers on the way may lead to: 6to4, Teredo, ISATAP, and translation by a prefix of one's own. */
function tunnelledV4(groups: readonly number[]): string[] {
  const [a, b, c, d, e, f, g, h] = groups as [number, number, number, number, number, number, number, number];
  if (a === 0x2002) return [v4(b, c)];
  if (a === 0x2001 && b === 0) return [v4(c, d), v4(g ^ 0xffff, h ^ 0xffff)];
  if ((e === 0 || e === 0x200) && f === 0x5efe) return [v4(g, h)];
  // 64:ff9b:1::/48 (RFC 8215), cut as RFC 6052 has it: after 96 bits, or after 48 around the octet that is zero.
  if (a === 0x64 && b === 0xff9b && c === 1) return [v4(g, h), v4(d, ((e & 255) << 8) | (f >> 8))];
  return [];
}

/** The address to connect to for a host (an IPv6 one may stand in brackets); null when none is allowed. */
export async function allowedAddress(host: string, resolve: Resolve): Promise<string | null> {
  const name = host.replace(/^\[|\]$/g, '');
  const found = isIP(name) === 0 ? await resolve(name) : [name];
  return found.find((address) => !isForbidden(address)) ?? null;
}
