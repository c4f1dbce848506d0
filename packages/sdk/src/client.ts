import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { baseAddress } from './address.ts';
import { DEFAULT_RETRIES, DEFAULT_TIMEOUT, DEFAULT_URL } from './defaults.ts';
import { gotTransport } from './got-transport.ts';
import { encryptedOnly } from './plain-http.ts';
import { readCredentials } from './profiles.ts';
import { HIDDEN } from './redact.ts';
import { type ClientParts, Requester } from './request.ts';
import { ServiceClient } from './service-client.ts';
import type { Transport } from './transport.ts';
import { exchangedTokens, type SubjectTokens, subjectTokensOf } from './workload-identity.ts';

export interface SvcClientOptions {
  /** Address of the service (default: `SVC_URL`, else the profile's, else a service on this machine). */
  url?: string | undefined;
  /** Token (default: `SVC_TOKEN`, else the profile's). */
  token?: string | undefined;
  /** Name of a profile that `svc login` has saved (default: `SVC_PROFILE`, else `default`). */
  profile?: string | undefined;
  /** Timeout of one attempt in milliseconds (default: 60,000). */
  timeout?: number | undefined;
  /** Retries of reads and of POSTs, which carry an idempotency key (default: 2). */
  retries?: number | undefined;
  /**
   * Send the token over http to other machines (default: `SVC_ALLOW_INSECURE`, else the profile's, else false). Without it,
   * such requests fail with the code `insecure-address`.
   */
  allowInsecure?: boolean | undefined;
  /**
   * Where the token of a workload comes from, which is exchanged for one of the service if there is no other token (default: GitHub
   * Actions, `SVC_ID_TOKEN` or `SVC_IDENTITY_TOKEN_FILE`).
   */
  subjectTokens?: SubjectTokens | undefined;
  /** Replaces the network: a function with the signature of `fetch`. It decides itself how it encrypts. */
  transport?: Transport | undefined;
}

/**
 * A client of one service for one principal. A failed call throws the `SvcError` class of its status.
 *
 * `parts` replaces clock, delay and randomness in tests.
 */
export class SvcClient extends ServiceClient {
  readonly url: string;
  readonly #hasToken: boolean;

  constructor(options: SvcClientOptions = {}, parts: Partial<ClientParts> = {}) {
    const { url = DEFAULT_URL, token, allowInsecure } = readCredentials(options, process.env);
    const { timeout = DEFAULT_TIMEOUT, retries = DEFAULT_RETRIES } = options;
    const base = baseUrl(url);
    const all = partsOf(options, parts, allowInsecure);
    const settings = { url: base, token, timeout, retries };
    const found =
      options.subjectTokens ?? (options.token === undefined ? subjectTokensOf(process.env, all.transport) : undefined);
    const subjects = token === undefined ? found : undefined;
    const currentToken = subjects && workloadToken(subjects, new Requester(settings, all), { base, now: all.now });
    super(new Requester({ ...settings, currentToken }, all));
    this.url = base;
    this.#hasToken = token !== undefined || currentToken !== undefined;
  }

  override toString(): string {
    return `SvcClient(${this.url}, ${this.#hasToken ? HIDDEN : 'no token'})`;
  }

  toJSON(): Record<string, unknown> {
    return { url: this.url, token: this.#hasToken ? HIDDEN : null };
  }

  [inspect.custom](): string {
    return this.toString();
  }
}

/** Exchanges tokens of the workload for tokens of the service. */
function workloadToken(
  subjects: SubjectTokens,
  requester: Requester,
  { base, now }: { base: string; now: () => number },
): () => Promise<string> {
  const exchange = async () => {
    const body = { subject_token: await subjects.get(base) };
    return requester.request('workloadIdentities.exchange', { body });
  };
  return exchangedTokens(exchange, now);
}

function partsOf({ transport }: SvcClientOptions, parts: Partial<ClientParts>, allowInsecure: boolean): ClientParts {
  return {
    transport: transport ?? (allowInsecure ? gotTransport : encryptedOnly(gotTransport)),
    now: () => performance.now(),
    pause: (ms, signal) => pause(ms, undefined, signal === undefined ? {} : { signal }),
    random: Math.random,
    newKey: () => crypto.randomUUID(),
    newHash: () => {
      const hash = createHash('sha256');
      return { update: (bytes) => void hash.update(bytes), hex: async () => hash.digest('hex') };
    },
    ...parts,
  };
}

function baseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`${JSON.stringify(text)} is not the address of a service. Use a URL such as ${DEFAULT_URL}.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('The address of the service must not contain a user name or password. Use the token instead.');
  }
  return baseAddress(text);
}
