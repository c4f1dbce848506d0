import { lookup as systemLookup } from 'node:dns';
import { type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import { isForbidden, isLoopback } from '@svc/core/addresses';
import { checkedLookup } from '../outgoing/checked-lookup.ts';

const ANSWER_MS = 10_000;
const MAX_BYTES = 1024 * 1024;
const USER_AGENT = 'svc';

/** The provider didn't respond, or not with what a provider responds. */
export class ProviderUnavailableError extends Error {
  override name = 'ProviderUnavailableError';
}

export type GuardedFetch = (url: string, options: RequestInit) => Promise<Response>;

/**
 * Sends a request to an endpoint of a provider, which the provider's own documents name. It never connects to link-local and metadata
 * addresses, and without TLS to this machine only. A name is resolved once, in the lookup that the connection itself uses. Redirects
 * aren't followed.
 */
export function guardedFetch(lookup: typeof systemLookup = systemLookup): GuardedFetch {
  return async (address, options) => {
    const request = new Request(address, options);
    const url = new URL(request.url);
    const isPlain = url.protocol === 'http:';
    const allowed = (ip: string) => !isForbidden(ip) && (!isPlain || isLoopback(ip));
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (!isPlain && url.protocol !== 'https:') throw refused(url);
    if (isIP(host) !== 0 && !allowed(host)) throw refused(url);
    const body = Buffer.from(await request.arrayBuffer());
    const headers = { ...Object.fromEntries(request.headers), 'user-agent': USER_AGENT, 'content-length': body.length };
    const connection = {
      ...urlToHttpOptions(url),
      lookup: checkedLookup(lookup, { allowed, refused: () => refused(url) }),
      agent: false,
    };
    return send({ ...connection, method: request.method, headers, signal: AbortSignal.timeout(ANSWER_MS) }, body).catch(
      (error: Error) => {
        if (error instanceof ProviderUnavailableError) throw error;
        const reason = error.name === 'TimeoutError' ? `no response within ${ANSWER_MS / 1000} s` : error.message;
        throw new ProviderUnavailableError(`${url.origin}: ${reason}`, { cause: error });
      },
    );
  };
}

const refused = ({ origin }: URL) =>
  new ProviderUnavailableError(
    `${origin}: svc connects to providers with https only, and never to link-local or metadata addresses`,
  );

/** Rejects if there is no response, if it is an error of the server, or if it is too large. */
function send(options: RequestOptions, body: Buffer): Promise<Response> {
  const request = options.protocol === 'https:' ? requestHttps : requestHttp;
  const { signal } = options;
  return new Promise((done, fail) => {
    const onError = (error: Error) => fail(signal?.aborted ? signal.reason : error);
    const sent = request(options, (answer) => {
      const chunks: Buffer[] = [];
      let size = 0;
      answer.on('data', (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size > MAX_BYTES)
          answer.destroy(new ProviderUnavailableError(`a response of more than ${MAX_BYTES} bytes`));
      });
      answer.on('error', onError);
      answer.on('end', () => {
        const status = answer.statusCode!;
        if (status >= 500) return fail(new ProviderUnavailableError(`it returned ${status}`));
        const type = answer.headers['content-type'];
        const headers = type === undefined ? {} : { 'content-type': type };
        const hasBody = status >= 200 && ![204, 205, 304].includes(status);
        done(new Response(hasBody ? Buffer.concat(chunks) : null, { status, headers }));
      });
    });
    // Without a listener, Node closes the connection and emits nothing else, not even for the signal.
    sent.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy();
      fail(new ProviderUnavailableError(`it returned ${statusCode}`));
    });
    sent.on('error', onError);
    sent.end(body);
  });
}
