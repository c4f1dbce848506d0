import { routes } from '../generated/routes.ts';
import type { RouteName } from '../routes.ts';
import type { Transport, TransportAnswer, TransportRequest } from '../transport.ts';

/** A recorded request. */
export interface MockRequest {
  /** The route's name, such as `tables.get`. */
  readonly route: RouteName;
  /** The parameters in the path, unescaped. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON body, the text of an upload, or undefined. */
  readonly body: unknown;
}

/** Result of a handler: the body of a 200, or a `MockReply`, recognized by its numeric `status`. */
export type MockAnswer = object;

/** A response with more than a body. */
export interface MockReply {
  readonly status: number;
  readonly body?: unknown;
  /** A problem document, as the service sends it. */
  readonly problem?: { code: string; detail: string; remedy?: string; errors?: readonly object[] };
  readonly headers?: Readonly<Record<string, string>>;
  readonly next_cursor?: string;
}

export type MockHandlers = { [N in RouteName]?: (request: MockRequest) => MockAnswer | Promise<MockAnswer> };

export interface MockTransport {
  /** For `new SvcClient({ transport })`. */
  readonly transport: Transport;
  /** Every request so far. */
  readonly sent: readonly MockRequest[];
}

/**
 * A transport for tests that answers requests by their route and records them. A route without a handler throws an error that
 * names it.
 */
export function mockTransport(handlers: MockHandlers): MockTransport {
  const sent: MockRequest[] = [];
  const transport: Transport = async (url, request) => {
    const seen = await requestOf(new URL(url), request);
    sent.push(seen);
    const handle = handlers[seen.route];
    if (handle === undefined) throw new Error(`The test has no handler for ${seen.route}: add one to mockTransport.`);
    return answerOf(await handle(seen));
  };
  return { transport, sent };
}

async function requestOf(url: URL, { method, headers, body }: TransportRequest): Promise<MockRequest> {
  for (const [name, route] of Object.entries(routes)) {
    if (route.method !== method) continue;
    const pattern = route.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    // bounded: routes are constants whose parameters end at slashes.
    const found = new RegExp(`^${pattern}$`).exec(url.pathname);
    if (found === null) continue;
    const params = Object.entries(found.groups ?? {}).map(([key, text]) => [key, decodeURIComponent(text)]);
    const json = headers['content-type'] === 'application/json';
    const text = await textOf(body);
    return {
      route: name as RouteName,
      params: Object.fromEntries(params),
      query: url.searchParams,
      headers,
      body: text !== undefined && json ? JSON.parse(text) : text,
    };
  }
  throw new Error(`${method} ${url.pathname} is not a route of the service.`);
}

async function textOf(body: TransportRequest['body']): Promise<string | undefined> {
  if (body === undefined || typeof body === 'string') return body;
  if (body instanceof Uint8Array) return new TextDecoder().decode(body);
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

const isReply = (answer: object): answer is MockReply => typeof (answer as { status?: unknown }).status === 'number';

function answerOf(answer: MockAnswer): TransportAnswer {
  if (!isReply(answer)) return response(200, answer, {});
  const { status, body, problem, headers = {}, next_cursor: cursor } = answer;
  const details = problem && { status, instance: '/', request_id: 'mock', ...problem };
  return response(status, details ?? body, {
    ...headers,
    ...(cursor === undefined ? {} : { 'x-next-cursor': cursor }),
  });
}

function response(status: number, body: unknown, headers: Record<string, string>): TransportAnswer {
  const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
  return new Response(text, { status, headers }) as unknown as TransportAnswer;
}
