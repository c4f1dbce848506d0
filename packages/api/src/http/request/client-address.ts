import { isIP, isIPv6 } from 'node:net';
import type { Request } from 'express';

/** Where a request comes from, by the word of the proxies that are trusted; of an IPv4 client always as IPv4. */
export function clientAddress(req: Pick<Request, 'ip' | 'socket'>): string {
  const told = req.ip ?? '';
  const address = isIP(told) === 0 ? (req.socket.remoteAddress ?? '') : told;
  return address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '');
}

/** What one customer of a network is given: an IPv4 address, or 2^64 addresses of IPv6. */
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
