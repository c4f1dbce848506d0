import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { userInfoOf } from '@svc/core/addresses';
import type { IndexAddress } from '@svc/core/package-indexes';
import { certificatesOf } from './certificates.ts';

/** `HTTPS_PROXY` and `NO_PROXY` of the worker. */
export interface UpstreamProxy {
  readonly url: string;
  readonly noProxy: string;
  /** Certificate authorities for a proxy at https (default: the built-in ones). */
  readonly ca?: readonly string[] | undefined;
}

const CONNECT_MS = 30_000;

/** Reads the proxy from the worker's environment variables; null if none is set. */
export function upstreamProxy(env: Readonly<Record<string, string>>): UpstreamProxy | null {
  const url = env['HTTPS_PROXY'];
  if (url === undefined || url === '') return null;
  return { url, noProxy: env['NO_PROXY'] ?? '', ca: /^https:/i.test(url) ? certificatesOf(env) : undefined };
}

/** Returns how to reach a host through the operator's proxy; null if `NO_PROXY` names the host. */
export function upstreamOf(
  proxy: UpstreamProxy,
  host: string,
): { connect: (target: IndexAddress) => Promise<Duplex> } | null {
  const bare = host.replace(/^\[|\]$/g, '');
  const direct = proxy.noProxy
    .split(',')
    .map((entry) => entry.trim().toLowerCase().replace(/^\./, ''))
    .some((entry) => entry === '*' || (entry !== '' && (bare === entry || bare.endsWith(`.${entry}`))));
  return direct ? null : { connect: (target) => connectThrough(proxy, target) };
}

async function connectThrough(proxy: UpstreamProxy, { host, port }: IndexAddress): Promise<Duplex> {
  const url = new URL(proxy.url.includes('://') ? proxy.url : `http://${proxy.url}`);
  const { protocol, port: proxyPort } = url;
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new Error(`HTTPS_PROXY must start with https:// or http://, not ${protocol}//`);
  const secure = protocol === 'https:';
  const request = secure ? requestHttps : requestHttp;
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const { username, password } = userInfoOf(url);
  const credential = `${username}:${password}`;
  return new Promise((done, fail) => {
    const connectRequest = request({
      host: hostname,
      port: proxyPort || (secure ? 443 : 80),
      // Without it, Node expects the certificate of the Host header, which names the target.
      servername: isIP(hostname) === 0 ? hostname : '',
      ...(proxy.ca === undefined ? {} : { ca: [...proxy.ca] }),
      method: 'CONNECT',
      path: `${host}:${port}`,
      headers: {
        Host: `${host}:${port}`,
        ...(username === '' ? {} : { 'Proxy-Authorization': `Basic ${Buffer.from(credential).toString('base64')}` }),
      },
    });
    const late = setTimeout(() => connectRequest.destroy(new Error("the operator's proxy didn't respond")), CONNECT_MS);
    connectRequest.once('close', () => clearTimeout(late));
    connectRequest.once('connect', (answer, socket, head) => {
      clearTimeout(late);
      if (answer.statusCode !== 200) {
        socket.destroy();
        fail(new Error(`the operator's proxy returned status ${answer.statusCode}`));
        return;
      }
      if (head.length > 0) socket.unshift(head);
      done(socket);
    });
    connectRequest.once('response', (answer) => {
      answer.resume();
      fail(new Error(`the operator's proxy returned status ${answer.statusCode}`));
    });
    connectRequest.once('error', fail);
    connectRequest.end();
  });
}
