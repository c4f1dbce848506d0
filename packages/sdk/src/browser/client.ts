import { DEFAULT_RETRIES, DEFAULT_TIMEOUT } from '../defaults.ts';
import { type ClientParts, type PartHash, Requester } from '../request.ts';
import { ServiceClient } from '../service-client.ts';
import type { Transport } from '../transport.ts';
import { fetchTransport } from './fetch-transport.ts';

export interface SvcClientOptions {
  /** Address of the service (default: the origin of the page). */
  url?: string | undefined;
  /** Token (default: none, because the session's cookie authenticates). */
  token?: string | undefined;
  /** The CSRF token of the session, which requests that change something send. */
  csrfToken?: (() => string | undefined) | undefined;
  /** Timeout of one attempt in milliseconds (default: 60,000). */
  timeout?: number | undefined;
  /** Retries of reads and of POSTs, which carry an idempotency key (default: 2). */
  retries?: number | undefined;
  /** Replaces the network: a function with the signature of `fetch`. */
  transport?: Transport | undefined;
}

/** A client of one service in a browser. A failed call throws the `SvcError` class of its status. */
export class SvcClient extends ServiceClient {
  constructor(options: SvcClientOptions = {}, parts: Partial<ClientParts> = {}) {
    const { url = '', token, timeout = DEFAULT_TIMEOUT, retries = DEFAULT_RETRIES } = options;
    const { transport = fetchTransport, csrfToken = () => undefined } = options;
    const all = { ...browserParts(), ...parts, transport: withCsrfToken(transport, csrfToken) };
    super(new Requester({ url, token, timeout, retries }, all));
  }
}

function withCsrfToken(transport: Transport, csrfToken: () => string | undefined): Transport {
  return (url, request) => {
    const token = request.method === 'GET' ? undefined : csrfToken();
    if (token === undefined) return transport(url, request);
    return transport(url, { ...request, headers: { ...request.headers, 'svc-csrf-token': token } });
  };
}

const browserParts = (): Omit<ClientParts, 'transport'> => ({
  now: () => performance.now(),
  pause,
  random: Math.random,
  newKey,
  newHash: wholeHash,
});

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

/** `crypto.randomUUID` exists on secure addresses only, and a service may listen on a plain one. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Browsers hash a whole text only, so the pieces are collected. */
function wholeHash(): PartHash {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  return {
    update: (bytes) => void pieces.push(Uint8Array.from(bytes)),
    hex: async () => {
      const digest = await crypto.subtle.digest('SHA-256', await new Blob(pieces).arrayBuffer());
      return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
    },
  };
}
