import { isLoopback } from '../addresses/index.ts';
import type { Settings } from '../settings/index.ts';
import type { SqlAddress } from './contract.ts';

type AddressSettings = Pick<Settings, 'sqlListen' | 'sqlPublicAddress' | 'publicUrl' | 'sqlTlsCert'>;

const ALL_INTERFACES = ['0.0.0.0', '::'];

/**
 * Where clients of the PostgreSQL protocol connect; null if the endpoint is off. The first of these is the host: that of
 * SVC_SQL__PUBLIC_ADDRESS, a loopback address that the endpoint listens on, the host of SVC_PUBLIC_URL, the address that
 * the endpoint listens on, and, if it listens on all interfaces, the host of the request.
 *
 * @param port that the endpoint listens on; null while it doesn't
 * @param requestHost such as `svc.example.com:8470`
 */
export function sqlAddress(
  settings: AddressSettings,
  { port, requestHost }: { port: number | null; requestHost: string },
): SqlAddress | null {
  const { sqlListen, sqlPublicAddress, publicUrl, sqlTlsCert } = settings;
  if (sqlListen === null || port === null) return null;
  const tls = sqlTlsCert !== undefined;
  if (sqlPublicAddress !== undefined) return { ...sqlPublicAddress, tls };
  const { host } = sqlListen;
  // No other machine can connect to it, whatever the name of this one.
  if (isLoopback(host)) return { host, port, tls };
  if (publicUrl !== undefined) return { host: hostOf(publicUrl), port, tls };
  return { host: ALL_INTERFACES.includes(host) ? requested(requestHost, host) : host, port, tls };
}

function requested(requestHost: string, otherwise: string): string {
  const url = `http://${requestHost}`;
  return URL.canParse(url) ? hostOf(url) : otherwise;
}

const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');
