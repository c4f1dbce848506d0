/** How to reach Trino. */
export interface TrinoAddress {
  /** The URL of the coordinator or of the proxy in front of it. */
  readonly url: string;
  readonly user: string;
  readonly password?: string | undefined;
  /** A JSON Web Token or another bearer token that Trino accepts. */
  readonly token?: string | undefined;
}

/** Trino's error for a failed statement. */
export interface TrinoErrorInfo {
  readonly name: string;
  readonly type: string;
  readonly message: string;
}

/** The statement failed in Trino. */
export class TrinoStatementError extends Error {
  readonly info: TrinoErrorInfo;

  constructor(info: TrinoErrorInfo) {
    super(info.name);
    this.name = 'TrinoStatementError';
    this.info = info;
  }
}

/** Trino can't be reached or returned an invalid response. The message contains no secrets. */
export class TrinoUnreachableError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TrinoUnreachableError';
  }
}

/** The statistics of a page that the service uses. */
export interface PageStats {
  readonly state: string;
  readonly progressPercentage?: number;
}

export interface Page {
  readonly id: string;
  readonly data: readonly (readonly unknown[])[];
  readonly stats: PageStats;
  /** Rows that a statement has written. */
  readonly updateCount?: number;
}

export interface StatementOptions {
  readonly address: TrinoAddress;
  readonly sql: string;
  readonly catalog: string;
  /** Seconds after which Trino itself cancels the statement. */
  readonly timeoutSeconds: number;
  /** Properties of Trino's session, by name. */
  readonly session?: Readonly<Record<string, string>>;
  /** Identifies the statement to the operator. */
  readonly traceToken: string;
  readonly signal: AbortSignal;
  /** Waits between two attempts; rejects with the signal's reason if it is aborted. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Status codes after which the protocol requires a retry. */
const RETRYABLE = new Set([429, 502, 503, 504]);
const MAX_ATTEMPTS = 10;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;
const RESPONSE_TIMEOUT_MS = 60_000;

/**
 * Runs a statement with Trino's protocol: posts it, then follows the URL of the next page in each response. If the caller
 * stops reading for any reason, the statement is cancelled.
 *
 * @throws TrinoStatementError, TrinoUnreachableError, or the signal's reason
 */
export async function* runStatement(options: StatementOptions): AsyncGenerator<Page> {
  const client = new Client(options);
  let next: string | undefined;
  try {
    let response = await client.fetchPage('POST', new URL('/v1/statement', options.address.url).href, options.sql);
    for (;;) {
      next = response.nextUri;
      if (response.error !== undefined) {
        next = undefined;
        throw new TrinoStatementError(response.error);
      }
      const { id, data, stats, updateCount } = response;
      yield { id, data, stats, ...(updateCount === undefined ? {} : { updateCount }) };
      if (next === undefined) return;
      response = await client.fetchPage('GET', next);
    }
  } finally {
    if (next !== undefined) await client.cancel(next);
  }
}

/**
 * Cancels queries that an earlier attempt of a statement left running because its worker crashed, and finds them by trace
 * token. This only relieves Trino earlier, which abandons queries that nobody reads, so failures are ignored.
 */
export async function cancelTraced(options: Omit<StatementOptions, 'pause' | 'sql'>): Promise<void> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(RESPONSE_TIMEOUT_MS / 6)]);
  const request = { headers: headersOf(options), redirect: 'error' as const, signal };
  const at = (path: string) => new URL(path, options.address.url).href;
  try {
    const response = await fetch(at('/v1/query'), request);
    const running = response.ok ? ((await response.json()) as ListedQuery[]) : [];
    const ownQueries = running.filter(
      ({ session, state }) => session?.traceToken === options.traceToken && !isOver(state),
    );
    for (const { queryId } of ownQueries) {
      if (/^\w{1,80}$/.test(queryId)) await fetch(at(`/v1/query/${queryId}`), { ...request, method: 'DELETE' });
    }
  } catch {
    options.signal.throwIfAborted();
  }
}

type ListedQuery = {
  readonly queryId: string;
  readonly state: string;
  readonly session?: { readonly traceToken?: string };
};

const isOver = (state: string): boolean => state === 'FINISHED' || state === 'FAILED';

interface StatementResponse {
  readonly id: string;
  readonly nextUri: string | undefined;
  readonly data: readonly (readonly unknown[])[];
  readonly stats: PageStats;
  readonly updateCount: number | undefined;
  readonly error: TrinoErrorInfo | undefined;
}

class Client {
  private readonly options: StatementOptions;
  private readonly headers: Readonly<Record<string, string>>;

  constructor(options: StatementOptions) {
    this.options = options;
    this.headers = headersOf(options);
  }

  async fetchPage(method: 'GET' | 'POST', url: string, body?: string): Promise<StatementResponse> {
    const { signal, pause } = this.options;
    if (!this.isOwn(url)) throw new TrinoUnreachableError(LOCATION_HEADER);
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      const response = await this.once(method, url, body);
      if ('nextUri' in response) return response;
      if (!response.again || attempt === MAX_ATTEMPTS) throw new TrinoUnreachableError(response.why);
      await pause(Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS), signal);
    }
  }

  /** Cancels the statement in Trino. If that fails, Trino's own time limit applies. */
  async cancel(url: string): Promise<void> {
    if (!this.isOwn(url)) return;
    const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS / 6);
    await fetch(url, { method: 'DELETE', headers: this.headers, redirect: 'error', signal }).then(
      (response) => response.arrayBuffer(),
      () => undefined,
    );
  }

  private async once(
    method: string,
    url: string,
    body?: string,
  ): Promise<StatementResponse | { again: boolean; why: string }> {
    const signal = AbortSignal.any([this.options.signal, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]);
    try {
      const request = { method, headers: this.headers, redirect: 'error' as const, signal };
      const response = await fetch(url, body === undefined ? request : { ...request, body });
      const text = await response.text();
      if (response.status === 200) return readResponse(text);
      const why = `Trino returned status ${response.status}`;
      return { again: RETRYABLE.has(response.status), why: REASONS[response.status] ?? why };
    } catch (error) {
      this.options.signal.throwIfAborted();
      if (error instanceof TrinoUnreachableError) throw error;
      const cause = (error as { cause?: { code?: string } }).cause?.code;
      return { again: true, why: `Trino can't be reached${cause === undefined ? '' : ` (${cause})`}` };
    }
  }

  /** Sends credentials only to the configured address, whatever a response contains. */
  private isOwn(url: string): boolean {
    return URL.canParse(url) && new URL(url).origin === new URL(this.options.address.url).origin;
  }
}

const LOCATION_HEADER =
  'Trino returned a result URL with a different address. Configure Trino to see the address that clients use (http-server.process-forwarded=true behind a proxy)';

const REASONS: Readonly<Record<number, string>> = {
  401: 'Trino rejected the configured user and password or token',
  403: 'Trino denied access to the configured user',
};

function headersOf({
  address,
  catalog,
  timeoutSeconds,
  session = {},
  traceToken,
}: Omit<StatementOptions, 'pause' | 'sql'>): Record<string, string> {
  const { user, password, token } = address;
  const basic = () => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  return {
    'Content-Type': 'text/plain; charset=utf-8',
    'User-Agent': 'svc',
    'X-Trino-User': user,
    'X-Trino-Source': 'svc',
    ...(catalog === '' ? {} : { 'X-Trino-Catalog': encodeURIComponent(catalog) }),
    'X-Trino-Time-Zone': 'UTC',
    'X-Trino-Trace-Token': traceToken,
    'X-Trino-Client-Capabilities': 'PARAMETRIC_DATETIME',
    'X-Trino-Session': Object.entries({ query_max_run_time: `${timeoutSeconds}s`, ...session })
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join(','),
    ...(token !== undefined ? { Authorization: `Bearer ${token}` } : {}),
    ...(token === undefined && password !== undefined ? { Authorization: basic() } : {}),
  };
}

/** Numbers beyond 2^53 arrive as strings (`wireSql`), so plain JSON parsing is lossless. */
function readResponse(text: string): StatementResponse {
  let body: Record<string, unknown>;
  try {
    body = JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new TrinoUnreachableError("Trino returned a response that isn't JSON");
  }
  const error = body['error'] as Record<string, unknown> | undefined;
  if (typeof body['id'] !== 'string') throw new TrinoUnreachableError("The server at that address isn't Trino");
  return {
    id: body['id'],
    nextUri: body['nextUri'] as string | undefined,
    data: (body['data'] ?? []) as unknown[][],
    stats: (body['stats'] ?? { state: 'UNKNOWN' }) as PageStats,
    updateCount: body['updateCount'] as number | undefined,
    error: error && {
      name: String(error['errorName']),
      type: String(error['errorType']),
      message: String(error['message']),
    },
  };
}
