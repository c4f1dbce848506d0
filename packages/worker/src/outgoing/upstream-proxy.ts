import { request } from 'node:http';
import type { Duplex } from 'node:stream';
import { userInfoOf } from '@svc/core/addresses';
import type { IndexAddress } from '@svc/core/package-indexes';

/** `HTTPS_PROXY` and `NO_PROXY` of the worker. */
export interface UpstreamProxy {
  readonly url: string;
  readonly noProxy: string;
}

const CONNECT_MS = 30_000;

/** Reads the proxy from the worker's environment variables; null if none is set. */
export function upstreamProxy(env: Readonly<Record<string, string>>): UpstreamProxy | null {
  const url = env['HTTPS_PROXY'];
  return url === undefined || url === '' ? null : { url, noProxy: env['NO_PROXY'] ?? '' };
}

/** Returns how to reach a host through the operator's proxy; null if `NO_PROXY` names the host. */
export function upstreamOf(
  { url, noProxy }: UpstreamProxy,
  host: string,
): { connect: (target: IndexAddress) => Promise<Duplex> } | null {
  const bare = host.replace(/^\[|\]$/g, '');
  const direct = noProxy
    .split(',')
    .map((entry) => entry.trim().toLowerCase().replace(/^\./, ''))
    .some((entry) => entry === '*' || (entry !== '' && (bare === entry || bare.endsWith(`.${entry}`))));
  return direct ? null : { connect: (target) => connectThrough(url, target) };
}

function connectThrough(proxy: string, { host, port }: IndexAddress): Promise<Duplex> {
  const url = new URL(proxy.includes('://') ? proxy : `http://${proxy}`);
  const { hostname, port: proxyPort } = url;
  const { username, password } = userInfoOf(url);
  const credential = `${username}:${password}`;
  return new Promise((done, fail) => {
    const connectRequest = request({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: proxyPort || 80,
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
