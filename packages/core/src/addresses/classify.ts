import { bitsOf, embeddedV4, groupsOf, isV6, subnets, translatedV4, tunnelledV4 } from './ip-address.ts';

/**
 * Link-local addresses, and the addresses at which cloud providers return credentials to the machines that request
 * them.
 */
const METADATA = subnets([
  '169.254.0.0/16',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  'fe80::/10',
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
  'fd00:42::42/128',
]);

/** "This host", multicast and reserved addresses: no service listens there. */
const UNUSABLE = subnets(['0.0.0.0/8', '224.0.0.0/3', 'ff00::/8', '::/128']);

/** Addresses of private networks, and addresses that are not assigned on the public internet. */
const PRIVATE = subnets([
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
  // Everything except 2000::/3, and within that Teredo, documentation and 6to4.
  '::/3',
  '4000::/2',
  '8000::/1',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]);

/** The bits of the prefixes with which the operator's network translates IPv4 addresses (NAT64). */
let translationPrefixes: readonly string[] = [];

/** Sets the operator's translation prefixes, such as `2001:db8:64::/96`, for all checks of this process. */
export function setTranslationPrefixes(prefixes: readonly string[]): void {
  translationPrefixes = prefixes.map((prefix) => {
    const [network, length] = prefix.split('/') as [string, string];
    return bitsOf(network).slice(0, Number(length));
  });
}

/** The bits of the IPv4 addresses that the operator's network may forward an IPv6 address to. */
const ownTranslations = (address: string): string[] =>
  translationPrefixes.flatMap((prefix) => embeddedV4(bitsOf(address), prefix) ?? []);

/** Whether an IP address is on the public internet, in any notation. */
export function isPublic(address: string): boolean {
  if (isForbidden(address)) return false;
  const inner = isV6(address) ? translatedV4(groupsOf(address)) : null;
  if (isV6(address) && ownTranslations(address).some(PRIVATE)) return false;
  return !PRIVATE(bitsOf(inner ?? address));
}

/** Whether connections to an IP address must always be refused, in any notation. */
export function isForbidden(address: string): boolean {
  return interpretations(address).some((bits) => METADATA(bits) || UNUSABLE(bits));
}

/**
 * Whether the host of a URL is a link-local or metadata address, in any spelling that a resolver accepts: decimal,
 * octal and hexadecimal numbers, fewer than four of them, a trailing dot, IPv6 forms that lead to an IPv4 address. DNS
 * names are checked when the connection is opened.
 */
export function isMetadataHost(host: string): boolean {
  // Parsing as http normalizes numbers to dotted decimal; other schemes leave the host as written.
  const url = `http://${host}/`;
  if (!URL.canParse(url)) return false;
  const address = new URL(url).hostname.replace(/^\[|\]$/g, '');
  return (isV6(address) || /^\d+\.\d+\.\d+\.\d+$/.test(address)) && interpretations(address).some(METADATA);
}

/** Whether a host name or an IP address, without brackets, is this machine itself. */
export const isLoopback = (host: string): boolean => /^(?:127\.[\d.]+|::1|(?:.+\.)?localhost)$/i.test(host);

/** The bits of an address and of the IPv4 addresses that it may lead to. */
function interpretations(address: string): string[] {
  if (!isV6(address)) return [bitsOf(address)];
  const groups = groupsOf(address);
  // An address can be read as several tunnels; a reading that yields 0.x is never the intended one.
  const tunnelled = tunnelledV4(groups).filter((inner) => !inner.startsWith('0.'));
  const translated = translatedV4(groups);
  const known = [address, ...tunnelled, ...(translated === null ? [] : [translated])];
  return [...known.map(bitsOf), ...ownTranslations(address)];
}
