import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, request, type Server } from 'node:http';
import { type Duplex, duplexPair, type Readable } from 'node:stream';
import type { ProblemDetails } from '@svc/core/errors';
import { addSession, type SessionRequest } from '../../http/request/session-request.ts';

/** An error response of the REST interface. */
export class ServiceError extends Error {
  readonly status: number;
  readonly code: string;
  readonly remedy: string | undefined;

  constructor(status: number, { code, detail, remedy }: Pick<ProblemDetails, 'code' | 'detail' | 'remedy'>) {
    super(detail);
    this.name = 'ServiceError';
    this.status = status;
    this.code = code;
    this.remedy = remedy;
  }
}

/** The sender of the requests of a session. */
export interface Caller {
  /** Null before the sign-in. */
  readonly token: string | null;
  /** Of the client: sign-in attempts are counted by it. */
  readonly address: string;
}

export interface ServiceCall {
  readonly body?: unknown;
  readonly session?: SessionRequest;
  readonly signal?: AbortSignal;
}

type Method = 'GET' | 'POST' | 'DELETE';

/**
 * Calls the REST interface in this process, over connections in memory. So a session is bound by everything that binds an HTTP
 * client: authentication, authorization, limits, events, logs and metrics.
 */
export class ServiceClient {
  private readonly server: Server;

  constructor(app: RequestListener) {
    this.server = createServer({ requestTimeout: 0, headersTimeout: 0 }, app);
  }

  /** The body of the response. @throws ServiceError */
  async call<T>(caller: Caller, method: Method, url: string, call: ServiceCall = {}): Promise<T> {
    return (await readBody(await this.send(caller, method, url, call))) as T;
  }

  /** The body of the response as a stream. @throws ServiceError */
  async stream(caller: Caller, url: string, signal: AbortSignal): Promise<Readable> {
    const response = await this.send(caller, 'GET', url, { signal });
    if (response.statusCode! >= 400) await readBody(response);
    return response;
  }

  /** Sends a body that arrives piece by piece. @throws ServiceError */
  async upload<T>(caller: Caller, url: string, type: string, body: Readable): Promise<T> {
    return (await readBody(await this.send(caller, 'POST', url, {}, { type, body }))) as T;
  }

  private async send(
    { token, address }: Caller,
    method: Method,
    path: string,
    { body, session, signal }: ServiceCall,
    upload?: { readonly type: string; readonly body: Readable },
  ): Promise<IncomingMessage> {
    const json = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const headers = {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(json && { 'content-type': 'application/json', 'content-length': json.length }),
      ...(upload && { 'content-type': upload.type }),
    };
    const createConnection = () => this.connect(address, session);
    const sent = request({ method, path, headers, createConnection, host: 'localhost', ...(signal && { signal }) });
    const responding = once(sent, 'response') as Promise<[IncomingMessage]>;
    // After the response, an error is one of its body too. Without a listener, it would end the process.
    sent.on('error', () => undefined);
    if (upload === undefined) sent.end(json);
    else upload.body.on('error', (error) => sent.destroy(error)).pipe(sent);
    return (await responding)[0];
  }

  /** A connection on which the server sees the address of the session's client. */
  private connect(address: string, session: SessionRequest | undefined): Duplex {
    const [near, far] = duplexPair();
    Object.assign(far, { remoteAddress: address });
    if (session !== undefined) addSession(far, session);
    // A pair passes on the end of a stream, but not that one side was destroyed.
    near.once('close', () => far.destroy());
    far.once('close', () => {
      if (!far.writableFinished) near.destroy(new Error('the service has closed the connection'));
    });
    this.server.emit('connection', far);
    return near;
  }
}

/** The JSON of a response. @throws ServiceError */
async function readBody(response: IncomingMessage): Promise<unknown> {
  const pieces = (await response.toArray()) as Buffer[];
  const body = pieces.length === 0 ? undefined : JSON.parse(Buffer.concat(pieces).toString());
  const status = response.statusCode!;
  if (status >= 400) throw new ServiceError(status, body);
  return body;
}
