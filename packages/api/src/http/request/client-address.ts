import { isIP, isIPv6 } from 'node:net';
import type { Request } from 'express';

/** The client's address as reported by trusted proxies. IPv4-mapped addresses are converted to IPv4. */
export function clientAddress(req: Pick<Request, 'ip' | 'socket'>): string {
  const reported = req.ip ?? '';
  const address = isIP(reported) === 0 ? (req.socket.remoteAddress ?? '') : reported;
  return plainAddress(address);
}

/** An address as others show it: IPv4 addresses are not mapped to IPv6. */
export const plainAddress = (address: string): string => address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '');

/** The network usually assigned to one customer: an IPv4 address, or a /64 of IPv6. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const plain = address.split('%')[0]!.replace(/\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/, '0:0');
  const [head, tail] = plain.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const groups = tail === undefined ? head! : [...head!, ...Array(8 - head!.length - tail.length).fill('0'), ...tail];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
