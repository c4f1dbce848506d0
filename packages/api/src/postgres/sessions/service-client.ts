import type { RequestListener } from 'node:http';
import type { Readable } from 'node:stream';
import type { ProblemDetails } from '@svc/core/errors';
import inject from 'light-my-request';
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

/** Who sends the requests of a session. */
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

/**
 * Calls the REST interface in this process. So a session is bound by everything that binds an HTTP client: authentication,
 * authorization, limits, events, logs and metrics.
 */
export class ServiceClient {
  private readonly app: RequestListener;

  constructor(app: RequestListener) {
    this.app = app;
  }

  /** The body of the response. @throws ServiceError */
  async call<T>(caller: Caller, method: 'GET' | 'POST' | 'DELETE', url: string, call: ServiceCall = {}): Promise<T> {
    const response = await this.send(caller, method, url, call);
    const body = response.payload === '' ? undefined : JSON.parse(response.payload);
    if (response.statusCode >= 400) throw new ServiceError(response.statusCode, body);
    return body as T;
  }

  /** The body of the response as a stream. @throws ServiceError */
  async stream(caller: Caller, url: string, signal: AbortSignal): Promise<Readable> {
    const response = await this.send(caller, 'GET', url, { signal }, { payloadAsStream: true });
    const body = response.stream();
    if (response.statusCode < 400) return body;
    const pieces = await body.toArray();
    throw new ServiceError(response.statusCode, JSON.parse(Buffer.concat(pieces).toString()));
  }

  /** Sends a body that arrives piece by piece. @throws ServiceError */
  async upload<T>(caller: Caller, url: string, type: string, body: Readable, signal: AbortSignal): Promise<T> {
    const response = await this.send(caller, 'POST', url, { signal }, { payload: body, headers: { 'content-type': type } });
    const answer = JSON.parse(response.payload);
    if (response.statusCode >= 400) throw new ServiceError(response.statusCode, answer);
    return answer as T;
  }

  private send(
    { token, address }: Caller,
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    { body, session, signal }: ServiceCall,
    options: Pick<inject.InjectOptions, 'payloadAsStream' | 'payload' | 'headers'> = {},
  ): Promise<inject.Response> {
    const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
    const dispatch: RequestListener = (req, res) => {
      if (session !== undefined) addSession(req, session);
      this.app(req, res);
    };
    return inject(dispatch, {
      method,
      url,
      remoteAddress: address,
      ...(body === undefined ? {} : { payload: body as object }),
      ...(signal === undefined ? {} : { signal }),
      ...options,
      headers: { ...authorization, ...options.headers },
    });
  }
}
