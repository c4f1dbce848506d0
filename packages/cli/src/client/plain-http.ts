import { isIPv4, isIPv6 } from 'node:net';

/** Host names in the local machine or network. */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|lan|internal|home\.arpa)$/;
/** Loopback, private, shared and link-local addresses. */
const PRIVATE_V4 = /^(?:127|10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;
const PRIVATE_V6 = /^(?:::1?$|f[cd]|fe[89ab])/;

/** Whether requests to this address leave the local network unencrypted. */
export function isUnencrypted(url: string | undefined): boolean {
  if (url === undefined || !URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'http:') return false;
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIPv4(host)) return !PRIVATE_V4.test(host);
  if (isIPv6(host)) return !PRIVATE_V6.test(host);
  return host.includes('.') && !LOCAL_NAME.test(host);
}

/** The warning about it. */
export const plainHttpWarning = (url: string, what: 'token' | 'password'): string =>
  `Warning: the ${what} is sent to ${new URL(url).host} unencrypted, so anyone on the network path can use it. Use an https address.`;
