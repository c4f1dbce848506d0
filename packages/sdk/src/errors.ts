/** How Node prints an object: `inspect.custom` of `node:util`, which browsers don't have. */
const PRINTED = Symbol.for('nodejs.util.inspect.custom');

/** One invalid input: `parameter` of the query or path, or JSON `pointer` into the body. */
export interface InputError {
  parameter?: string;
  pointer?: string;
  message: string;
}

export interface SvcErrorOptions {
  code?: string | undefined;
  requestId?: string | undefined;
  remedy?: string | undefined;
  errors?: InputError[] | undefined;
  status?: number | undefined;
  retryAfter?: number | undefined;
  secondFactor?: SecondFactorChallenge | undefined;
}

/** What `access.completeSignIn` continues a sign-in with. The challenge is a secret. */
export interface SecondFactorChallenge {
  challenge: string;
  expires_at: string;
  methods: ('code' | 'assertion' | 'recovery_code')[];
  /** PublicKeyCredentialRequestOptions as JSON; null without a security key. */
  options: Record<string, unknown> | null;
}

/** Base class of this client's errors. Message and fields never contain the token. */
export class SvcError extends Error {
  /** Stable code of the cause, such as `not-found`. */
  readonly code: string;
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** Id of the request, which the service logs. */
  readonly requestId: string | undefined;
  /** A command that fixes the cause, if there is one. */
  readonly remedy: string | undefined;
  /** The invalid inputs of a 422. */
  readonly errors: readonly InputError[];
  /** Seconds to wait before a retry, from `Retry-After`. */
  readonly retryAfter: number | undefined;
  /** With the code `second-factor-required`. It isn't printed. */
  declare readonly secondFactor: SecondFactorChallenge | undefined;

  constructor(message: string, options: SvcErrorOptions = {}) {
    super(message);
    this.name = new.target.name;
    this.code = options.code ?? 'error';
    this.status = options.status ?? 0;
    this.requestId = options.requestId;
    this.remedy = options.remedy;
    this.errors = options.errors ?? [];
    this.retryAfter = options.retryAfter;
    Object.defineProperty(this, 'secondFactor', { value: options.secondFactor, enumerable: false });
  }

  toJSON(): Record<string, unknown> {
    const { name, message, code, status, requestId, remedy, errors } = this;
    return { name, message, code, status, requestId, remedy, ...(errors.length > 0 ? { errors } : {}) };
  }

  [PRINTED](): string {
    const facts = [this.code, this.status || undefined, this.requestId && `request ${this.requestId}`].filter(Boolean);
    return `${this.stack ?? `${this.name}: ${this.message}`} [${facts.join(', ')}]`;
  }
}

/** 400: the request can't be parsed. */
export class BadRequest extends SvcError {}
/** 401: no token, or one that is no longer valid. */
export class Unauthorized extends SvcError {}
/** 403: the principal lacks a permission; the message names it. */
export class Forbidden extends SvcError {}
/** 404: the object doesn't exist, or the caller may not see it. */
export class NotFound extends SvcError {}
/** 409: the request conflicts with the current state. */
export class Conflict extends SvcError {}
/** 413: the body is too large. */
export class PayloadTooLarge extends SvcError {}
/** 422: a field or parameter is invalid; `errors` names each. */
export class UnprocessableEntity extends SvcError {}
/** 429: throttled for `retryAfter` seconds. */
export class TooManyRequests extends SvcError {}
/** 500 and other unexpected responses. */
export class ServerError extends SvcError {}
/** 502, 503, 504: temporarily unavailable. */
export class Unavailable extends SvcError {}
/** No response: the service couldn't be reached, or the connection broke. */
export class ConnectionError extends SvcError {}
/** No response, or unfinished work, within the timeout. */
export class TimeoutError extends SvcError {}
/** A write, query, deploy or run failed or was cancelled; `record` is its final state. */
export class WorkFailed<R = unknown> extends SvcError {
  readonly record: R;

  constructor(message: string, record: R, options: SvcErrorOptions = {}) {
    super(message, options);
    this.record = record;
  }
}

const CLASSES: Record<number, typeof SvcError> = {
  400: BadRequest,
  401: Unauthorized,
  403: Forbidden,
  404: NotFound,
  409: Conflict,
  413: PayloadTooLarge,
  415: BadRequest,
  422: UnprocessableEntity,
  429: TooManyRequests,
  502: Unavailable,
  503: Unavailable,
  504: Unavailable,
};

interface ProblemDetails {
  detail: string | undefined;
  title: string | undefined;
  code: string | undefined;
  request_id: string | undefined;
  remedy: string | undefined;
  errors: InputError[] | undefined;
  second_factor: SecondFactorChallenge | undefined;
}

/** Builds the error of an unsuccessful response. `hide` removes secrets from a text. */
export function errorOfAnswer(
  answer: { status: number; headers: { get(name: string): string | null } },
  text: string,
  hide: (text: string) => string,
): SvcError {
  const body = readProblem(hide(text));
  const { status } = answer;
  const message = body.detail ?? body.title ?? unexplained(status);
  const Class = CLASSES[status] ?? (status < 500 ? BadRequest : ServerError);
  return new Class(message, {
    status,
    code: body.code ?? `http-${status}`,
    requestId: body.request_id ?? answer.headers.get('x-request-id') ?? undefined,
    remedy: body.remedy,
    errors: body.errors,
    secondFactor: body.second_factor,
    retryAfter: retryAfterOf(answer.headers),
  });
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

const readHttpDate = (text: string | null): number =>
  text !== null && HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;

/** Seconds. A time, which proxies send, is compared with the response's own, as the clock of this machine may be wrong. */
function retryAfterOf(headers: { get(name: string): string | null }): number | undefined {
  const text = headers.get('retry-after');
  if (text !== null && /^\d+$/.test(text)) return Number(text);
  const sentAt = readHttpDate(headers.get('date'));
  const seconds = (readHttpDate(text) - (Number.isNaN(sentAt) ? Date.now() : sentAt)) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

const unexplained = (status: number) =>
  `The response was HTTP ${status} without an explanation and may not come from the service. Check the address.`;

/** Proxies and other programs return JSON of their own, so a field counts only if it has the right type. */
function readProblem(text: string): ProblemDetails {
  const body = readObject(text);
  const textOf = (name: string) => (typeof body[name] === 'string' ? body[name] : undefined);
  const { errors, second_factor } = body;
  return {
    detail: textOf('detail'),
    title: textOf('title'),
    code: textOf('code'),
    request_id: textOf('request_id'),
    remedy: textOf('remedy'),
    errors: Array.isArray(errors) ? errors.filter(isInputError) : undefined,
    second_factor: second_factor as SecondFactorChallenge | undefined,
  };
}

function readObject(text: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(text);
    return body !== null && typeof body === 'object' ? (body as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const isInputError = (value: unknown): value is InputError =>
  typeof (value as { message?: unknown } | null)?.message === 'string';
