import * as z from 'zod';
import { isPublic } from './classify.ts';
import { bitsOf, isV6, subnets } from './ip-address.ts';

/** A host and port that the Python tasks of a project connect to (`network` in svc.yaml). */
export interface NetworkHost {
  /** A name in lower case, or an IP address without brackets. */
  readonly host: string;
  readonly port: number;
}

/** What an operator lets Python tasks connect to besides the service (`SVC_RUN__NETWORK`). */
export type TaskNetworkSetting = 'unrestricted' | readonly ApprovedHost[];

export interface ApprovedHost {
  /** A name, `*.` and the rest of a name, `*` for every name, an IP address or a CIDR. */
  readonly host: string;
  /** Null: every port. */
  readonly port: number | null;
}

const HTTPS_PORT = 443;
const NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/;
const ADDRESSES = [z.ipv4(), z.ipv6()];
const RANGES = [z.cidrv4(), z.cidrv6()];

const isAddress = (host: string): boolean => ADDRESSES.some((kind) => kind.safeParse(host).success);
const isRange = (host: string): boolean => RANGES.some((kind) => kind.safeParse(host).success);
/** A text of numbers and dots is an address or nothing, because resolvers read `10.1` as an address. */
const isName = (host: string): boolean => NAME.test(host) && !/^(?:0x[\da-f]+|\d+)$/.test(host.split('.').at(-1)!);

/** Splits `host`, `host:port` and `[IPv6]:port`; the port is null if it is missing. Null for anything else. */
function splitPort(text: string): { host: string; port: number | null } | null {
  const parts = /^(?:\[([\da-f:.]+)\]|([^:[\]]+))(?::([1-9]\d{0,4}))?$/.exec(text.trim().toLowerCase());
  if (parts === null || Number(parts[3] ?? 1) > 65_535) return null;
  return { host: parts[1] ?? parts[2]!, port: parts[3] === undefined ? null : Number(parts[3]) };
}

/** Parses an entry of `network` in svc.yaml: `host`, which means port 443, or `host:port`. Null for anything else. */
export function parseNetworkHost(text: string): NetworkHost | null {
  const parts = splitPort(text);
  if (parts === null || !(isAddress(parts.host) || isName(parts.host))) return null;
  return { host: parts.host, port: parts.port ?? HTTPS_PORT };
}

/** Parses an entry of `SVC_RUN__NETWORK`. Null for anything else. */
export function parseApprovedHost(text: string): ApprovedHost | null {
  const entry = text.trim().toLowerCase();
  // IPv6 addresses and networks need no brackets if there is no port.
  if (isRange(entry) || isAddress(entry)) return { host: entry, port: null };
  const parts = splitPort(entry);
  if (parts === null) return null;
  const { host } = parts;
  const isPattern = host === '*' || (host.startsWith('*.') && isName(host.slice(2)));
  return isPattern || isName(host) || isAddress(host) ? parts : null;
}

export const networkHostText = ({ host, port }: NetworkHost): string =>
  isV6(host) ? `[${host}]:${port}` : `${host}:${port}`;

/** Whether the operator approved a host and port that a project names. */
export function isApprovedHost(approved: readonly ApprovedHost[], { host, port }: NetworkHost): boolean {
  return approved.some((entry) => (entry.port === null || entry.port === port) && matches(entry.host, host));
}

function matches(pattern: string, host: string): boolean {
  if (isAddress(host)) return isAddress(pattern) || isRange(pattern) ? contains(pattern, host) : pattern === '*';
  if (pattern.startsWith('*.')) return host.endsWith(pattern.slice(1));
  return pattern === '*' || pattern === host;
}

/**
 * Whether tasks may connect to an address that an approved host resolves to: a public one, or one that the operator listed
 * itself, so that the owner of a name can't lead tasks into the operator's network.
 */
export function isApprovedAddress(approved: readonly ApprovedHost[], address: string): boolean {
  return (
    isPublic(address) || approved.some(({ host }) => (isAddress(host) || isRange(host)) && contains(host, address))
  );
}

function contains(network: string, address: string): boolean {
  const range = network.includes('/') ? network : `${network}/${isV6(network) ? 128 : 32}`;
  return isV6(network) === isV6(address) && subnets([range])(bitsOf(address));
}
