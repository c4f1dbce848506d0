import { type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { urlToHttpOptions } from 'node:url';
import { isForbidden, isPublic } from '@svc/core/addresses';
import { type Resolve, type UpstreamProxy, upstreamOf } from '../outgoing/index.ts';

const ANSWER_MS = 10_000;

/** The result of a request. It contains no address, because the webhook's URL is a secret. */
export type Posted = { ok: true; status: number } | { ok: false; outcome: string; isRetryable: boolean };

export interface Post {
  url: URL;
  body: string;
  headers: Readonly<Record<string, string>>;
  /** Hosts and CIDRs allowed in addition to public addresses (`SVC_WEBHOOKS__ALLOW_HOSTS`). */
  allowHosts: readonly string[];
  resolve: Resolve;
  /** The operator's proxy for https, if there is one. */
  proxy: UpstreamProxy | null;
}

const REFUSED: Posted = {
  ok: false,
  isRetryable: false,
  outcome: "its address isn't public, and the operator doesn't allow it (SVC_WEBHOOKS__ALLOW_HOSTS)",
};

class RefusedAddressError extends Error {}

/**
 * Posts JSON to allowed addresses only. A name is resolved once, in the lookup that the connection itself uses, and the
 * addresses are checked there. The operator's proxy gets the checked address and never a name, because nobody would
 * check what it resolves. Redirects aren't followed.
 */
export async function post({ url, body, headers, allowHosts, resolve, proxy }: Post): Promise<Posted> {
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const allowed = allowedBy(allowHosts, host);
  // Addresses need no lookup, so they are checked here.
  if (isIP(host) !== 0 && !allowed(host)) return REFUSED;
  const lookup: LookupFunction = (name, { all }, done) => {
    resolve(name).then(
      (addresses) => {
        const found = addresses.filter(allowed).map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
        const [first] = found;
        if (first === undefined) done(new RefusedAddressError(), '');
        else if (all) done(null, found);
        else done(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => done(error, ''),
    );
  };
  const signal = AbortSignal.timeout(ANSWER_MS);
  try {
    const through = proxy === null || url.protocol !== 'https:' ? null : upstreamOf(proxy, host);
    const options: RequestOptions =
      through === null
        ? { lookup, agent: false }
        : tunnel(await inTime(checkedAddress({ url, resolve, allowed }).then(through.connect), signal), host);
    const status = await send({ ...urlToHttpOptions(url), ...options, method: 'POST', signal }, headers, body);
    if (status >= 200 && status < 300) return { ok: true, status };
    const redirect = status >= 300 && status < 400 ? ": redirects aren't followed" : '';
    return { ok: false, outcome: `it returned ${status}${redirect}`, isRetryable: true };
  } catch (error) {
    if (error instanceof RefusedAddressError) return REFUSED;
    const { name, code } = error as NodeJS.ErrnoException;
    if (name === 'TimeoutError')
      return { ok: false, outcome: `no response within ${ANSWER_MS / 1000} s`, isRetryable: true };
    return { ok: false, outcome: `it couldn't be reached (${code ?? name})`, isRetryable: true };
  }
}

interface Checked {
  url: URL;
  resolve: Resolve;
  allowed: (address: string) => boolean;
}

/**
 * Returns the address that the proxy should connect to.
 * @throws RefusedAddressError.
 */
async function checkedAddress({ url, resolve, allowed }: Checked) {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const [address] = isIP(host) === 0 ? (await resolve(host)).filter(allowed) : [host];
  if (address === undefined) throw new RefusedAddressError();
  return {
    scheme: 'https' as const,
    host: isIPv6(address) ? `[${address}]` : address,
    port: Number(url.port || 443),
  };
}

/** Closes a connection that arrives too late. Rejects with the signal's reason. */
function inTime(connecting: Promise<Duplex>, signal: AbortSignal): Promise<Duplex> {
  return new Promise((done, fail) => {
    signal.addEventListener('abort', () => fail(signal.reason));
    connecting.then((socket) => (signal.aborted ? socket.destroy() : done(socket)), fail);
  });
}

/** Uses an existing connection. The certificate must still match the host. */
function tunnel(socket: Duplex, host: string): RequestOptions {
  const named = isIP(host) === 0 ? { servername: host } : { host };
  // Without an agent, Node doesn't know the scheme's default port, which the Host header leaves out.
  return { defaultPort: 443, createConnection: () => connectTls({ socket, ...named }) };
}

function allowedBy(allowHosts: readonly string[], host: string): (address: string) => boolean {
  if (allowHosts.includes(host)) return (address) => !isForbidden(address);
  const ranges = new BlockList();
  for (const text of allowHosts) {
    const [net, prefix] = text.split('/');
    if (isIP(net!) === 0) continue;
    const family = isIPv6(net!) ? 'ipv6' : 'ipv4';
    ranges.addSubnet(net!, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  return (address) =>
    isPublic(address) || (!isForbidden(address) && ranges.check(address, isIPv6(address) ? 'ipv6' : 'ipv4'));
}

/** Returns the response status without reading the body. Rejects if there is no response. */
function send(options: RequestOptions, headers: Post['headers'], body: string): Promise<number> {
  const request = options.protocol === 'https:' ? requestHttps : requestHttp;
  const { signal } = options;
  return new Promise((done, fail) => {
    const sent = request({ ...options, headers: { ...headers, 'Content-Length': Buffer.byteLength(body) } });
    sent.on('response', (answer) => {
      done(answer.statusCode!);
      answer.destroy();
    });
    // Without a listener, Node closes the connection and emits nothing else, not even for the signal.
    sent.on('upgrade', (answer, socket) => {
      done(answer.statusCode!);
      socket.destroy();
    });
    sent.on('error', (error) => fail(signal?.aborted ? signal.reason : error));
    sent.end(body);
  });
}
