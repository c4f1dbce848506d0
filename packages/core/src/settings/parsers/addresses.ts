import * as z from 'zod';
import { type ApprovedHost, parseApprovedHost, type TaskNetworkSetting } from '../../addresses/index.ts';
import { list } from './basic.ts';

export const url = (...schemes: string[]) =>
  z
    .string()
    .refine((value) => schemes.some((scheme) => value.startsWith(`${scheme}://`)) && URL.canParse(value), {
      message: `must be a URL that starts with ${schemes.map((s) => `${s}://`).join(' or ')}`,
    })
    .optional();

/** Starts of URLs, normalized. Each ends with a slash, so that a host or folder never allows one whose name it starts. */
export const urlPrefixes = list()
  .refine(
    (texts) =>
      texts.every((text) => /^https?:\/\//i.test(text) && URL.canParse(text) && new URL(text).href.endsWith('/')),
    'must be URLs of folders that start with https:// or http:// and end with /, separated by commas',
  )
  .transform((texts) => texts.map((text) => new URL(text).href));

/** Parameters of Spark's addresses that would let tasks share what each has of its own. */
const OWN_SPARK_PARAMETERS = /;(?:session_id|user_id)=/i;

/** The address of a Spark Connect server, as Spark's clients write it, with its host and port. */
export const sparkConnect = z
  .string()
  .transform((value, context) => {
    const match = /^sc:\/\/(?:\[([0-9a-fA-F:]+)\]|([A-Za-z0-9._-]+)):(\d{1,5})(?:\/((?:;\w+=[^;\s]*)*);?)?$/.exec(
      value,
    );
    const port = Number(match?.[3]);
    if (match && port >= 1 && port <= 65535 && !OWN_SPARK_PARAMETERS.test(value))
      return { url: value, host: (match[1] ?? match[2]!).toLowerCase(), port };
    context.addIssue({
      code: 'custom',
      message:
        'must be sc://host:port, with parameters as in sc://host:port/;use_ssl=true, but no session_id or user_id',
    });
    return z.NEVER;
  })
  .optional();

export const hostAndPort = z.string().transform((value, context) => {
  const match = /^(?:\[([0-9a-fA-F:]+)\]|([^:\s]+)):(\d{1,5})$/.exec(value);
  const port = Number(match?.[3]);
  if (match && port <= 65535) return { host: match[1] ?? match[2]!, port };
  context.addIssue({ code: 'custom', message: 'must be host:port, such as 127.0.0.1:8470' });
  return z.NEVER;
});

/** Host names, addresses and CIDRs; in lower case, without the brackets of an IPv6 address. */
export const hosts = list()
  .transform((hosts) => hosts.map((host) => host.replace(/^\[|\]$/g, '').toLowerCase()))
  .refine((hosts) => hosts.every(isHostOrRange), 'must be host names, IP addresses or CIDRs, separated by commas');

/** Hosts that files of a lock may lie on (LOCK-5), as in URLs; without a port, every port is allowed. */
export const fileHosts = list()
  .transform((hosts) => hosts.map((host) => host.toLowerCase()))
  .refine(
    (hosts) => hosts.every(isFileHost),
    'must be host names or IP addresses (IPv6 in brackets), with or without :port, separated by commas',
  );

export const networks = list().refine(
  (hosts) => hosts.every(isAddressOrRange),
  'must be IP addresses or CIDRs, separated by commas',
);

/** IPv6 networks that RFC 6052 allows for the translation of IPv4 addresses. */
export const nat64Prefixes = list().refine(
  (prefixes) => prefixes.every((text) => z.cidrv6().safeParse(text).success && /\/(?:32|40|48|56|64|96)$/.test(text)),
  'must be IPv6 networks with a length of 32, 40, 48, 56, 64 or 96, such as 2001:db8:64::/96, separated by commas',
);

/** What Python tasks may connect to besides the service: nothing unless listed. */
export const taskNetwork = list().transform((entries, context): TaskNetworkSetting => {
  const [first, second] = entries;
  if (first === 'unrestricted' && second === undefined) return 'unrestricted';
  if (first === 'none' && second === undefined) return [];
  // Both words look like host names, but have a meaning only alone.
  const approved = entries.map((entry) => (/^(none|unrestricted)$/.test(entry) ? null : parseApprovedHost(entry)));
  if (!approved.includes(null)) return approved as ApprovedHost[];
  const wrong = JSON.stringify(entries[approved.indexOf(null)]);
  context.addIssue({
    code: 'custom',
    message: `must be none, unrestricted, or hosts (with or without :port, *.domain, IP addresses, CIDRs), separated by commas, which ${wrong} isn't`,
  });
  return z.NEVER;
});

function isFileHost(text: string): boolean {
  const [, host, port = '1'] = /^(\[[^\]]*\]|[^:/]*)(?::([1-9]\d{0,4}))?$/.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535) return false;
  return host.startsWith('[') ? z.ipv6().safeParse(host.slice(1, -1)).success : isHostOrRange(host);
}

function isHostOrRange(text: string): boolean {
  // A text that looks like an address must be a valid one.
  if (/^[\d./]+$|[:/]/.test(text)) return isAddressOrRange(text);
  return text.length <= 253 && text.split('.').every((part) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(part));
}

const RANGES = [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()];
const isAddressOrRange = (text: string): boolean => RANGES.some((kind) => kind.safeParse(text).success);
