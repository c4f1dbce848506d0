export const isV6 = (address: string): boolean => address.includes(':');

/** The eight groups of an IPv6 address. */
export function groupsOf(address: string): number[] {
  const full = new URL(`http://[${address.split('%')[0]}]/`).hostname.slice(1, -1);
  const [head = '', tail] = full.split('::');
  const read = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  if (tail === undefined) return read(head);
  const [leading, trailing] = [read(head), read(tail)];
  return [...leading, ...Array<number>(8 - leading.length - trailing.length).fill(0), ...trailing];
}

/** An address as 32 or 128 binary digits. */
export function bitsOf(address: string): string {
  const [parts, width] = isV6(address) ? [groupsOf(address), 16] : [address.split('.').map(Number), 8];
  return parts.map((part) => part.toString(2).padStart(width, '0')).join('');
}

/** Returns a test of whether an address, given in bits, is in one of the subnets, written `address/prefix`. */
export function subnets(ranges: readonly string[]): (bits: string) => boolean {
  const prefixes = ranges.map((range) => {
    const [network, length] = range.split('/') as [string, string];
    const bits = bitsOf(network);
    return { width: bits.length, prefix: bits.slice(0, Number(length)) };
  });
  return (bits) => prefixes.some(({ width, prefix }) => bits.length === width && bits.startsWith(prefix));
}

const v4 = (high: number, low: number): string => [high >> 8, high & 255, low >> 8, low & 255].join('.');

/** The IPv4 address that an IPv6 address represents: mapped, compatible, or translated (64:ff9b::/96). */
export function translatedV4(groups: readonly number[]): string | null {
  const start = groups
    .slice(0, 6)
    .map((group) => group.toString(16))
    .join(':');
  const known = ['0:0:0:0:0:0', '0:0:0:0:0:ffff', '0:0:0:0:ffff:0', '64:ff9b:0:0:0:0'];
  // "::" and "::1" are IPv6 addresses in their own right.
  const own = start === known[0] && groups[6] === 0;
  return known.includes(start) && !own ? v4(groups[6]!, groups[7]!) : null;
}

/**
 * The IPv4 address that follows an own translation prefix (RFC 6052), in bits; null for an address outside of the prefix. The octet
 * after the first 64 bits is never part of it.
 */
export function embeddedV4(bits: string, prefix: string): string | null {
  if (!bits.startsWith(prefix)) return null;
  const beforeOctet = bits.slice(prefix.length, 64);
  const afterOctet = bits.slice(Math.max(prefix.length, 72));
  return (prefix.length > 64 ? bits.slice(prefix.length) : beforeOctet + afterOctet).slice(0, 32);
}

/** IPv4 addresses that routers may forward to: 6to4, Teredo, ISATAP, and translation by a local prefix. */
export function tunnelledV4(groups: readonly number[]): string[] {
  const [a, b, c, d, e, f, g, h] = groups as [number, number, number, number, number, number, number, number];
  if (a === 0x2002) return [v4(b, c)];
  if (a === 0x2001 && b === 0) return [v4(c, d), v4(g ^ 0xffff, h ^ 0xffff)];
  if ((e === 0 || e === 0x200) && f === 0x5efe) return [v4(g, h)];
  // 64:ff9b:1::/48 (RFC 8215), embedded as in RFC 6052: after 96 bits, or after 48 bits around the zero octet.
  if (a === 0x64 && b === 0xff9b && c === 1) return [v4(g, h), v4(d, ((e & 255) << 8) | (f >> 8))];
  return [];
}
