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
