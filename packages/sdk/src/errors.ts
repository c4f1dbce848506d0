import { inspect } from 'node:util';

/** One refused input: `parameter` of the query or path, or JSON `pointer` into the body. */
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
}

/** Anything this client throws on purpose. Its text and fields never hold the token. */
export class SvcError extends Error {
  /** The stable word for the cause, such as `not-found`. */
  readonly code: string;
  /** The HTTP status, 0 when no answer came. */
  readonly status: number;
  /** The request's id, under which the operator finds it in the log. */
  readonly requestId: string | undefined;
  /** A command that mends it, where one exists. */
  readonly remedy: string | undefined;
  /** Each refused input of a 422. */
  readonly errors: readonly InputError[];
  /** Seconds after which the service asks to try again. */
  readonly retryAfter: number | undefined;

  constructor(message: string, options: SvcErrorOptions = {}) {
    super(message);
    this.name = new.target.name;
    this.code = options.code ?? 'error';
    this.status = options.status ?? 0;
    this.requestId = options.requestId;
    this.remedy = options.remedy;
    this.errors = options.errors ?? [];
    this.retryAfter = options.retryAfter;
  }

  toJSON(): Record<string, unknown> {
    const { name, message, code, status, requestId, remedy, errors } = this;
    return { name, message, code, status, requestId, remedy, ...(errors.length > 0 ? { errors } : {}) };
  }

  [inspect.custom](): string {
    const facts = [this.code, this.status || undefined, this.requestId && `request ${this.requestId}`].filter(Boolean);
    return `${this.stack ?? `${this.name}: ${this.message}`} [${facts.join(', ')}]`;
  }
}

/** 400: the request cannot be read. */
export class BadRequest extends SvcError {}
/** 401: no token, or one that no longer works. */
export class Unauthorized extends SvcError {}
/** 403: the principal lacks the right; the message names it. */
export class Forbidden extends SvcError {}
/** 404: nothing of that name, or nothing the caller may know of. */
export class NotFound extends SvcError {}
/** 409: what is there stands in the way. */
export class Conflict extends SvcError {}
/** 413: the body is larger than the service takes. */
export class PayloadTooLarge extends SvcError {}
/** 422: a field or parameter is refused; `errors` names each. */
export class UnprocessableEntity extends SvcError {}
/** 429: throttled; `retryAfter` says for how many seconds. */
export class TooManyRequests extends SvcError {}
/** 500 and other answers that the service does not explain. */
export class ServerError extends SvcError {}
/** 502, 503, 504: not available at the moment. */
export class Unavailable extends SvcError {}
/** No answer: the service could not be reached or the connection broke. */
export class ConnectionError extends SvcError {}
/** No answer, or no end of a piece of work, in the time given. */
export class TimeoutError extends SvcError {}
/** A write, query, deploy or run ended without success; `record` is what became of it. */
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

interface ProblemBody {
  detail?: string;
  title?: string;
  code?: string;
  request_id?: string;
  remedy?: string;
  errors?: InputError[];
}

/** The error of an answer that is no success. `hide` takes secrets out of a text. */
export function errorOfAnswer(
  answer: { status: number; headers: { get(name: string): string | null } },
  text: string,
  hide: (text: string) => string,
): SvcError {
  const body = readProblem(hide(text));
  const { status } = answer;
  const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN);
  const message = body?.detail ?? body?.title ?? unexplained(status);
  const Class = CLASSES[status] ?? (status < 500 ? BadRequest : ServerError);
  return new Class(message, {
    status,
    code: body?.code ?? `http-${status}`,
    requestId: body?.request_id ?? answer.headers.get('x-request-id') ?? undefined,
    remedy: body?.remedy,
    errors: body?.errors,
    retryAfter: Number.isFinite(seconds) ? Math.max(0, seconds) : undefined,
  });
}

const unexplained = (status: number) =>
  `The answer was HTTP ${status} without an explanation: what answered may not be the service. Check the address.`;

function readProblem(text: string): ProblemBody | null {
  try {
    const body: unknown = JSON.parse(text);
    return body !== null && typeof body === 'object' ? (body as ProblemBody) : null;
  } catch {
    return null;
  }
}
