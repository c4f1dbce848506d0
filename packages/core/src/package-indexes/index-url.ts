import { trimEnd } from '../contract/index.ts';
import { checkHost, type HostFailure, isLoopback } from './index-host.ts';
import { PUBLIC_HOSTS, TEST_HOSTS } from './public-hosts.ts';

/** Why a URL can't be registered, and what to write instead (INDEX-11). */
export interface IndexUrlFailure {
  /** The number of the rule: 7 is INDEX-7. */
  readonly rule: 1 | 2 | 3 | 4 | 5 | 6 | 7;
  readonly message: string;
  readonly remedy: string;
}

/** The scheme, host and port of a URL in normal form. */
export interface IndexAddress {
  readonly scheme: 'https' | 'http';
  readonly host: string;
  readonly port: number;
}

export type IndexUrlResult =
  | { readonly ok: true; readonly url: string; readonly address: IndexAddress }
  | { readonly ok: false; readonly problem: IndexUrlFailure };

const MAX_LENGTH = 1024;
const HOST_FORMS = 'write <host> or <host>:<port>, an IPv6 address in brackets';

function no(rule: IndexUrlFailure['rule'], message: string, remedy: string): IndexUrlResult {
  return { ok: false, problem: { rule, message, remedy } };
}

/**
 * Validates the URL of a package index and normalizes it to the form that is stored (INDEX-1 to INDEX-8). `credential`
 * says whether the index has a secret, which INDEX-7 depends on.
 */
export function checkIndexUrl(url: string, options: { readonly credential: boolean }): IndexUrlResult {
  if (url.length > MAX_LENGTH) return no(1, `the URL has ${url.length} characters`, `use at most ${MAX_LENGTH}`);
  if (/[^\x20-\x7e]/.test(url)) {
    const inHost = /^[a-z]+:\/\/[^/]*[^\x20-\x7e]/i.test(url);
    const remedy = inHost
      ? 'write an international host in its xn-- form'
      : 'remove them, including control characters';
    return no(1, 'the URL has characters outside printable ASCII', remedy);
  }
  if (url.includes('\\')) return no(1, 'the URL has a backslash', 'write "/" between the parts of the path');
  const parts = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#]*)((?:\/[^?#]*)?)([?#].*)?$/.exec(url);
  const scheme = parts?.[1]?.toLowerCase();
  if (parts === null || (scheme !== 'https' && scheme !== 'http')) {
    return no(2, `${JSON.stringify(withoutUser(url))} does not start with https://`, 'write https://<host>/<path>');
  }
  const authority = parts[2]!;
  if (authority.includes('@')) {
    return no(
      3,
      'the URL contains a user name or password',
      'remove it and put it into the secret of --credential-secret',
    );
  }
  if (parts[4] !== undefined) return no(3, 'the URL has "?" or "#"', 'remove that part');
  const match = /^(\[[^\]]*\]|[^:[\]]*)(?::(.*))?$/.exec(authority);
  if (match === null) return no(4, `${JSON.stringify(authority)} is not a host with a port`, HOST_FORMS);
  return checkParts(scheme, match[1]!, match[2], parts[3]!, options.credential);
}

function checkParts(
  scheme: 'https' | 'http',
  hostText: string,
  portText: string | undefined,
  pathText: string,
  credential: boolean,
): IndexUrlResult {
  const host = hostText.toLowerCase();
  const hostFailure: HostFailure | null = checkHost(host);
  if (hostFailure !== null) return no(4, hostFailure.message, hostFailure.remedy);
  const defaultPort = scheme === 'https' ? 443 : 80;
  const port = portText === undefined ? defaultPort : /^\d{1,5}$/.test(portText) ? Number(portText) : 0;
  if (port < 1 || port > 65_535) {
    return no(
      4,
      `${JSON.stringify(portText)} is not a port`,
      'write a port between 1 and 65535, or remove the port and the colon',
    );
  }
  // Before the scheme: the same URL with https is refused as well.
  if (PUBLIC_HOSTS.includes(host)) {
    const remedy =
      'omit it: a lock can use the public index without registration, and the public index never receives a credential';
    return no(6, `${host} is a host of the public index and cannot be registered`, remedy);
  }
  if (scheme === 'http' && !isLoopback(host)) {
    return no(
      2,
      `http:// is for localhost and loopback addresses only, and ${host} is neither`,
      `write https://${host}${portText === undefined ? '' : `:${portText}`}${pathText}`,
    );
  }
  const path = trimEnd(pathText, '/');
  const problem = checkPath(path);
  if (problem !== null) return { ok: false, problem };
  if (TEST_HOSTS.includes(host) && credential) {
    const message = `${scheme}://${host} is the test index's address, and it needs no credential for downloads`;
    return no(7, message, 'register it without --credential-secret');
  }
  const portSuffix = port === defaultPort ? '' : `:${port}`;
  return { ok: true, url: `${scheme}://${host}${portSuffix}${path}`, address: { scheme, host, port } };
}

function checkPath(path: string): IndexUrlFailure | null {
  const no = (message: string, remedy: string): IndexUrlFailure => ({ rule: 5, message, remedy });
  if (path === '') return null;
  if (path.includes('%')) return no('the path has a percent sign, which is unsupported', 'use a path without escapes');
  if (path.includes(' ')) return no('the path has a space, which is unsupported', 'use a path without spaces');
  for (const segment of path.slice(1).split('/')) {
    if (segment === '') return no('the path has an empty segment', 'write one "/" between segments');
    if (segment === '.' || segment === '..')
      return no(`the path has a "${segment}" segment`, 'write the path it leads to');
    const bad = /[^A-Za-z0-9\-._~+@]/.exec(segment);
    if (bad !== null) return no(`the path has ${JSON.stringify(bad[0])}`, 'use letters, digits and - . _ ~ + @');
  }
  return null;
}

/** A URL without its user name and password, for messages. */
export function withoutUser(url: string): string {
  return url.replace(/^([A-Za-z][A-Za-z0-9+.-]*:\/\/)[^/?#]*@/, '$1');
}

/** The form in which two URLs are compared (LOCK-1). A text that isn't a URL is compared as it is. */
export function comparableUrl(url: string): string {
  const parts = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#]*)(.*)$/s.exec(url);
  if (parts === null) return url;
  const scheme = parts[1]!.toLowerCase();
  const at = parts[2]!.lastIndexOf('@') + 1;
  const user = parts[2]!.slice(0, at);
  const defaultPort = scheme === 'https' ? /:0*443$/ : scheme === 'http' ? /:0*80$/ : /$^/;
  const host = parts[2]!.slice(at).toLowerCase().replace(defaultPort, '');
  return `${scheme}://${user}${host}${trimEnd(parts[3]!, '/')}`;
}
