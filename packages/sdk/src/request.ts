import { pathOf, queryText } from './address.ts';
import { type Deadline, deadline, unlessAborted } from './deadline.ts';
import { ConnectionError, errorOfAnswer, SvcError, TimeoutError } from './errors.ts';
import type { PathAnswer, PathRequest } from './path-request.ts';
import { redactor } from './redact.ts';
import { mayRepeat, pauseBefore } from './retry.ts';
import {
  type AnswerOf,
  type BodyOf,
  type ItemOf,
  type ParamsOf,
  type QueryOf,
  type RouteName,
  routeOf,
} from './routes.ts';
import type { Transport, TransportAnswer, TransportRequest, UploadBody } from './transport.ts';
import { SourceFailedError, UploadSource } from './upload-source.ts';

/** Options of every call. */
export interface CallOptions {
  headers?: Record<string, string> | undefined;
  /** Aborts the call, which then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Timeout of one attempt in milliseconds, until the response is complete (for a download: until it starts). */
  timeout?: number | undefined;
  /** POST only (default: a random key, so that a repeated request acts once). */
  idempotencyKey?: string | undefined;
}

/** Allows a change in a protected environment; `breakGlass` is the reason, which the audit log records. */
export interface BreakGlass {
  breakGlass?: string | undefined;
}

export type RequestOptions<N extends RouteName> = CallOptions &
  BreakGlass & {
    query?: QueryOf<N> | undefined;
    /** JSON if the route takes JSON, otherwise the upload. */
    body?: (unknown extends BodyOf<N> ? UploadBody : BodyOf<N>) | undefined;
    contentType?: string | undefined;
  } & (Record<never, never> extends ParamsOf<N> ? { params?: ParamsOf<N> } : { params: ParamsOf<N> });

/** One page of a list; `next_cursor` is null on the last. */
export interface Page<T> {
  items: T[];
  next_cursor: string | null;
}

/** Dependencies of a client; tests pass their own. */
export interface ClientParts {
  transport: Transport;
  /** A monotonic clock, in milliseconds. */
  now: () => number;
  /** Resolves after the delay in milliseconds, or rejects with the signal's reason. */
  pause: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** From 0 (included) to 1 (excluded). */
  random: () => number;
  newKey: () => string;
  /** A new SHA-256, with which the parts of a file are compared. */
  newHash: () => PartHash;
}

/** A hash that is computed piece by piece. */
export interface PartHash {
  update(bytes: Uint8Array): void;
  /** Of all pieces, in hexadecimal. */
  hex(): Promise<string>;
}

export interface ClientSettings {
  url: string;
  token: string | undefined;
  /** Returns the current token, if the client has none that stays the same. */
  currentToken?: (() => Promise<string>) | undefined;
  timeout: number;
  retries: number;
}

interface Prepared {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: UploadBody | undefined;
  repeatable: boolean;
  timeout: number | undefined;
  signal: AbortSignal | undefined;
}

/** Builds requests from the route table, sends and retries them, and parses the responses. */
export class Requester {
  readonly #settings: ClientSettings;
  readonly parts: ClientParts;
  readonly #hide: (text: string) => string;

  constructor(settings: ClientSettings, parts: ClientParts) {
    this.#settings = settings;
    this.parts = parts;
    this.#hide = redactor(settings.token);
  }

  /** Returns the response body. @throws SvcError by status; ConnectionError, TimeoutError without a response. */
  async request<N extends RouteName>(name: N, options: RequestOptions<N>): Promise<AnswerOf<N>> {
    return (await this.answer(name, options)).body as AnswerOf<N>;
  }

  /** Returns status and body, for routes with several success statuses. */
  async answer<N extends RouteName>(name: N, options: RequestOptions<N>): Promise<{ status: number; body: unknown }> {
    const { status, text } = await this.#whole(this.#prepare(name, options));
    return { status, body: status === 204 ? undefined : this.#parse(text, status) };
  }

  /** Returns one page of a list. */
  async page<N extends RouteName>(name: N, options: RequestOptions<N>): Promise<Page<ItemOf<N>>> {
    const { text, status, cursor } = await this.#whole(this.#prepare(name, options));
    const items = this.#parse(text, status);
    if (!Array.isArray(items)) throw this.#notTheService("isn't a list", status);
    return { items: items as ItemOf<N>[], next_cursor: cursor };
  }

  /** Iterates over all rows of a list. */
  async *iterate<N extends RouteName>(name: N, options: RequestOptions<N>): AsyncGenerator<ItemOf<N>, void, undefined> {
    let cursor: string | null = null;
    do {
      const query: object = { ...options.query, ...(cursor === null ? {} : { cursor }) };
      const page: Page<ItemOf<N>> = await this.page(name, { ...options, query } as RequestOptions<N>);
      yield* page.items;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }

  /** Streams the response. Throws a ConnectionError if it breaks off. */
  async stream<N extends RouteName>(name: N, options: RequestOptions<N>): Promise<AsyncIterable<Uint8Array>> {
    return (await this.#open(this.#prepare(name, options), true)).body;
  }

  /** Sends a request to a path outside the route table, with the token. @throws TypeError for a path that isn't one */
  async path(request: PathRequest): Promise<PathAnswer> {
    const { method, path, query = {}, body, headers, breakGlass, timeout, signal } = request;
    // Anything else could change the host, to which the token would be sent.
    if (!path.startsWith('/')) throw new TypeError(`${JSON.stringify(path)} must start with /`);
    const separated = queryText(query).replace('?', path.includes('?') ? '&' : '?');
    return this.#open({
      method,
      url: this.#settings.url + path + separated,
      headers: this.#headers({ headers, breakGlass }, body === undefined ? undefined : 'application/json'),
      body,
      repeatable: method === 'GET',
      timeout: timeout ?? this.#settings.timeout,
      signal,
    });
  }

  #open(request: Prepared, refusesPages = false): Promise<PathAnswer> {
    return this.#repeat(request, async (limit) => {
      const answer = await this.#send(request, limit);
      const { status, headers, body } = answer;
      // A page of a proxy or of a sign-in form: no route of the service returns HTML.
      if (refusesPages && headers.get('content-type')?.toLowerCase().startsWith('text/html')) {
        await answer.text();
        throw this.#notTheService('is an HTML page', status);
      }
      limit.stop();
      return {
        status,
        next_cursor: headers.get('x-next-cursor'),
        body: stoppable(this.#pieces(body, request.signal, limit), limit),
      };
    });
  }

  /** Requests a page outside the route table, without the token; every status counts as a response. */
  async probe(path: string, { signal, timeout }: CallOptions) {
    const limit = deadline(timeout ?? this.#settings.timeout, signal);
    try {
      const sent: TransportRequest = { method: 'GET', headers: {}, signal: limit.signal };
      const answer = await this.parts.transport(this.#settings.url + path, sent);
      return { status: answer.status, text: await answer.text(), date: answer.headers.get('date') };
    } catch (error) {
      throw this.#failure(error, signal);
    } finally {
      limit.release();
    }
  }

  async *#pieces(
    body: AsyncIterable<Uint8Array> | null,
    signal: AbortSignal | undefined,
    limit: Deadline,
  ): AsyncGenerator<Uint8Array> {
    try {
      if (body !== null) yield* body;
    } catch (error) {
      throw this.#failure(error, signal);
    } finally {
      limit.release();
    }
  }

  #prepare<N extends RouteName>(name: N, options: RequestOptions<N>): Prepared {
    const route = routeOf(name);
    const { body, contentType, signal, timeout } = options as RequestOptions<N> & { body?: unknown };
    const key = options.idempotencyKey ?? (route.keyed ? this.parts.newKey() : undefined);
    const type = body === undefined ? undefined : (contentType ?? 'application/json');
    const headers = this.#headers({ ...options, idempotencyKey: key }, type);
    const upload = contentType !== undefined;
    const once = upload && typeof body !== 'string' && typeof body !== 'function' && !(body instanceof Uint8Array);
    return {
      method: route.method,
      url: this.#settings.url + pathOf(route.path, options.params ?? {}) + queryText(options.query ?? {}),
      headers,
      body: body === undefined ? undefined : upload ? (body as UploadBody) : JSON.stringify(body),
      // A part that is sent twice replaces itself.
      repeatable: !once && (route.method === 'GET' || key !== undefined || (upload && route.method === 'PUT')),
      // Uploads have no timeout.
      timeout: timeout ?? (upload ? undefined : this.#settings.timeout),
      signal,
    };
  }

  #headers({ headers, breakGlass, idempotencyKey }: CallOptions & BreakGlass, contentType: string | undefined) {
    const { token } = this.#settings;
    return {
      accept: 'application/json, */*;q=0.5',
      ...headers,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(breakGlass === undefined ? {} : { 'svc-break-glass': encodeURIComponent(breakGlass) }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
    };
  }

  #whole(request: Prepared): Promise<{ status: number; text: string; cursor: string | null }> {
    return this.#repeat(request, async (limit) => {
      const answer = await this.#send(request, limit);
      const text = await answer.text();
      limit.release();
      return { status: answer.status, text, cursor: answer.headers.get('x-next-cursor') };
    });
  }

  async #repeat<T>(request: Prepared, attempt: (limit: Deadline) => Promise<T>): Promise<T> {
    for (let tried = 0; ; tried++) {
      const limit = deadline(request.timeout, request.signal);
      try {
        return await attempt(limit);
      } catch (error) {
        limit.release();
        const failure = limit.expired ? this.#late(request) : this.#failure(error, request.signal);
        const left = request.repeatable && tried < this.#settings.retries;
        if (!left || !(failure instanceof SvcError) || !mayRepeat(failure)) throw failure;
        await this.parts.pause(pauseBefore(tried, failure, this.parts.random), request.signal);
      }
    }
  }

  async #send(request: Prepared, limit: Deadline): Promise<TransportAnswer> {
    limit.signal.throwIfAborted();
    const { method, url } = request;
    const { currentToken } = this.#settings;
    const token = currentToken && (await unlessAborted(currentToken(), limit.signal));
    const headers = token === undefined ? request.headers : { ...request.headers, authorization: `Bearer ${token}` };
    const source = new UploadSource();
    const body = source.watched(typeof request.body === 'function' ? request.body() : request.body);
    const sent: TransportRequest = { method, headers, signal: limit.signal, ...(body === undefined ? {} : { body }) };
    const answer = await this.parts.transport(url, sent).catch((error: unknown) => {
      throw source.failure ?? error;
    });
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw errorOfAnswer(answer, await answer.text(), this.#hide);
  }

  /** The transport's error without its request, which contains the token. */
  #failure(error: unknown, signal: AbortSignal | undefined): unknown {
    if (signal?.aborted) return signal.reason;
    if (error instanceof SvcError) return error;
    if (error instanceof SourceFailedError) return error.cause;
    const { code, message } = (error ?? {}) as { code?: string; message?: string };
    if (code === 'EPROTO' && message?.includes('wrong version number')) {
      const text = `${this.#settings.url} responds without TLS. If the service has no certificate, use an address that starts with http://.`;
      return new ConnectionError(text, { code });
    }
    const cause = this.#hide(typeof message === 'string' ? message : String(error));
    const text = `The service at ${this.#settings.url} could not be reached: ${cause}. Check that it is running and that the address is correct.`;
    return new ConnectionError(text, { code: code ?? 'connection-failed' });
  }

  #late({ timeout }: Prepared): TimeoutError {
    const seconds = (timeout ?? 0) / 1000;
    const text = `The service at ${this.#settings.url} didn't respond within ${seconds} s. Try again, or increase the timeout.`;
    return new TimeoutError(text, { code: 'timeout' });
  }

  #parse(text: string, status: number): unknown {
    try {
      return JSON.parse(text);
    } catch {
      throw this.#notTheService("isn't JSON", status);
    }
  }

  #notTheService(reason: string, status: number): ConnectionError {
    const detail = `The response from ${this.#settings.url} ${reason}, so it isn't from the service. Check the address.`;
    return new ConnectionError(detail, { status, code: 'not-the-service' });
  }
}

/** Closes the connection also if the caller stops before the first piece, when a generator runs none of its code. */
function stoppable<T>(pieces: AsyncGenerator<T>, limit: Deadline): AsyncGenerator<T> {
  const next = pieces.next.bind(pieces);
  const finish = pieces.return.bind(pieces);
  let isRead = false;
  return Object.assign(pieces, {
    next: () => {
      isRead = true;
      return next();
    },
    return: (value: unknown) => {
      if (!isRead) limit.abort();
      return finish(value);
    },
  });
}
