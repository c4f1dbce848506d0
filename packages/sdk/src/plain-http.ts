import { SvcError } from './errors.ts';
import type { Transport } from './transport.ts';

/** Hosts that requests reach without leaving the machine. `URL` writes every spelling of an IPv4 address as four numbers. */
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Checks that nobody on the network path can read what is sent to an address. @throws SvcError for http to another machine */
export function requireEncryption(url: string): void {
  const { protocol, hostname, host } = new URL(url);
  if (protocol === 'https:' || LOOPBACK.test(hostname)) return;
  const detail = `Credentials aren't sent to http://${host}, because anyone on the network path could read them. Use an https:// address. To send them anyway, set SVC_ALLOW_INSECURE=true, allowInsecure: true in the client, or --allow-insecure on the command line.`;
  throw new SvcError(detail, { code: 'insecure-address' });
}

/** Sends credentials only over https or to this machine. Bodies can contain passwords, so only a GET without a token is exempt. */
export function encryptedOnly(transport: Transport): Transport {
  return async (url, request) => {
    if (request.method !== 'GET' || request.headers.authorization !== undefined) requireEncryption(url);
    return transport(url, request);
  };
}

/** Whether `SVC_ALLOW_INSECURE` allows it, or undefined if it isn't set. */
export const allowsInsecure = ({ SVC_ALLOW_INSECURE: text }: NodeJS.ProcessEnv): boolean | undefined =>
  text ? /^(?:true|1)$/i.test(text) : undefined;
