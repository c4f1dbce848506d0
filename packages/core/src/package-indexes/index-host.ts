import { isMetadataHost } from '../addresses/index.ts';
import { trimEnd } from '../contract/index.ts';

export interface HostFailure {
  readonly message: string;
  readonly remedy: string;
}

function no(message: string, remedy: string): HostFailure {
  return { message, remedy };
}

/**
 * Why a host in lower case is refused (INDEX-4); null if it may be used. Valid hosts are plain DNS names and IP
 * addresses in canonical form; link-local and metadata addresses are refused in every form.
 */
export function checkHost(host: string): HostFailure | null {
  if (host === '') return no('the URL has no host', 'write https://<host>/<path>');
  if (host.startsWith('[')) return checkV6(host.slice(1, -1));
  const labels = host.split('.');
  // Browsers and resolvers parse a name whose last label is a number as an IP address, in many spellings.
  if (/^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1)!)) return checkV4(host);
  return checkName(host, labels);
}

function checkV4(host: string): HostFailure | null {
  const canonical = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(host);
  if (!canonical)
    return no(`${host} is not an IPv4 address in canonical form`, 'write four decimal numbers such as 10.0.0.8');
  return isMetadataHost(host) ? linkLocal(host) : null;
}

function linkLocal(host: string): HostFailure {
  return no(`${host} is a link-local or metadata address`, 'use the address or name of the index itself');
}

function checkV6(text: string): HostFailure | null {
  const url = `http://[${text}]/`;
  const shortest = /^[0-9a-f:.]+$/.test(text) && URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : null;
  if (shortest === null) return no(`[${text}] is not an IPv6 address`, 'write it in brackets, such as [2001:db8::1]');
  if (shortest !== text) return no(`[${text}] is not the shortest form of the address`, `write [${shortest}]`);
  return isMetadataHost(`[${text}]`) ? linkLocal(`[${text}]`) : null;
}

function checkName(host: string, labels: readonly string[]): HostFailure | null {
  const remedy = 'write a plain DNS name: letters, digits and hyphens between dots';
  if (host.includes('_')) return no(`the host ${host} has an underscore, which is unsupported`, remedy);
  if (host.length > 253) return no('the host has more than 253 characters', remedy);
  if (host.endsWith('.')) return no(`the host ${host} ends in a dot`, `write ${trimEnd(host, '.')}`);
  const valid = labels.every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label));
  return valid ? null : no(`${JSON.stringify(host)} is not a DNS name`, remedy);
}

/** Whether a host that passed `checkHost` is `localhost` or a loopback address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
