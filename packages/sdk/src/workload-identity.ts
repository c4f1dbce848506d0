import { readFile } from 'node:fs/promises';
import { SvcError } from './errors.ts';
import type { Transport } from './transport.ts';

/** Where the token of a workload comes from: its CI system or its cluster. */
export interface SubjectTokens {
  /** For messages. */
  readonly source: string;
  /** Returns a current token for the service at this address. */
  get(audience: string): Promise<string>;
}

/** Renews a token this long before it expires. */
const EARLY_MS = 5 * 60_000;
const TIMEOUT_MS = 30_000;

/**
 * The tokens of this workload, or undefined if its environment has none: a file that a cluster renews, the ID token of a GitLab job,
 * or the tokens of a GitHub Actions job with the permission `id-token: write`.
 */
export function subjectTokensOf(env: NodeJS.ProcessEnv, transport: Transport): SubjectTokens | undefined {
  const { SVC_IDENTITY_TOKEN_FILE: file, SVC_ID_TOKEN: token } = env;
  const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: credential } = env;
  if (file) return { source: 'SVC_IDENTITY_TOKEN_FILE', get: () => tokenInFile(file) };
  if (token) return { source: 'SVC_ID_TOKEN', get: async () => token.trim() };
  if (!url || !credential) return undefined;
  return { source: 'GitHub Actions', get: (audience) => tokenOfActions({ url, credential, audience, transport }) };
}

async function tokenInFile(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    throw noToken(`The file of SVC_IDENTITY_TOKEN_FILE can't be read: ${(error as Error).message}.`);
  }
}

interface ActionsRequest {
  url: string;
  credential: string;
  audience: string;
  transport: Transport;
}

async function tokenOfActions({ url, credential, audience, transport }: ActionsRequest): Promise<string> {
  const address = new URL(url);
  address.searchParams.set('audience', audience);
  const headers = { accept: 'application/json', authorization: `Bearer ${credential}` };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const answer = await transport(address.href, { method: 'GET', headers, signal });
    const text = await answer.text();
    const { value } = (answer.status === 200 ? JSON.parse(text) : {}) as { value?: unknown };
    if (typeof value === 'string') return value;
    throw new Error(`it returned ${answer.status}`);
  } catch (error) {
    throw noToken(`GitHub Actions issued no token for this job: ${(error as Error).message}.`);
  }
}

const noToken = (detail: string) =>
  new SvcError(detail, { code: 'no-workload-token', remedy: 'set the permission id-token: write, or SVC_TOKEN' });

/** The token that a workload gets for its own. */
export interface Exchanged {
  access_token: string;
  expires_in: number;
}

/** Returns a function for the current token. It exchanges a new one before the previous one expires, once for concurrent callers. */
export function exchangedTokens(exchange: () => Promise<Exchanged>, now: () => number): () => Promise<string> {
  let current: { token: Promise<string>; until: number } | undefined;
  return () => {
    if (current !== undefined && now() < current.until) return current.token;
    const response = exchange();
    const renewed = { token: response.then(({ access_token: token }) => token), until: Number.POSITIVE_INFINITY };
    current = renewed;
    response.then(
      ({ expires_in: seconds }) => {
        renewed.until = now() + Math.max(0, seconds * 1000 - EARLY_MS);
      },
      () => {
        // The next call tries again.
        if (current === renewed) current = undefined;
      },
    );
    return renewed.token;
  };
}
