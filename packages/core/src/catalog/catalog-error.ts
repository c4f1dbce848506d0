import type { ApiError, ErrorCode } from '../errors/index.ts';

/** The protocol's error types that svc returns; clients switch on them. */
export type CatalogErrorType =
  | 'AlreadyExistsException'
  | 'BadRequestException'
  | 'CommitFailedException'
  | 'CommitStateUnknownException'
  | 'ForbiddenException'
  | 'IllegalArgumentException'
  | 'InternalServerError'
  | 'NamespaceNotEmptyException'
  | 'NoSuchNamespaceException'
  | 'NoSuchTableException'
  | 'NoSuchViewException'
  | 'NoSuchWarehouseException'
  | 'NotAuthorizedException'
  | 'NotFoundException'
  | 'ServiceUnavailableException'
  | 'TooManyRequestsException'
  | 'UnprocessableEntityException'
  | 'UnsupportedOperationException';

const STATUS: Record<CatalogErrorType, number> = {
  AlreadyExistsException: 409,
  BadRequestException: 400,
  CommitFailedException: 409,
  CommitStateUnknownException: 500,
  ForbiddenException: 403,
  IllegalArgumentException: 400,
  InternalServerError: 500,
  NamespaceNotEmptyException: 409,
  NoSuchNamespaceException: 404,
  NoSuchTableException: 404,
  NoSuchViewException: 404,
  NoSuchWarehouseException: 404,
  NotAuthorizedException: 401,
  NotFoundException: 404,
  ServiceUnavailableException: 503,
  TooManyRequestsException: 429,
  UnprocessableEntityException: 422,
  UnsupportedOperationException: 406,
};

/** An error of the catalog protocol. */
export class CatalogError extends Error {
  readonly type: CatalogErrorType;
  readonly status: number;
  /** Seconds, sent as Retry-After. */
  readonly retryAfter: number | undefined;

  constructor(
    type: CatalogErrorType,
    message: string,
    options: { status?: number; retryAfter?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'CatalogError';
    this.type = type;
    this.status = options.status ?? STATUS[type];
    this.retryAfter = options.retryAfter;
  }

  /** The protocol's error model. */
  get body(): { error: { message: string; type: string; code: number } } {
    return { error: { message: this.message, type: this.type, code: this.status } };
  }
}

/** The kind of object that a request is about, which decides the type of a "not found" error. */
export type CatalogNoun = 'warehouse' | 'namespace' | 'table' | 'view';

const MISSING: Record<CatalogNoun, CatalogErrorType> = {
  warehouse: 'NoSuchWarehouseException',
  namespace: 'NoSuchNamespaceException',
  table: 'NoSuchTableException',
  view: 'NoSuchViewException',
};

/** Errors of svc with a specific type in the protocol; any other is mapped by its status. */
const BY_CODE: Partial<Record<ErrorCode, CatalogErrorType>> = {
  'already-exists': 'AlreadyExistsException',
  'name-taken': 'AlreadyExistsException',
  'dropped-with-purge': 'AlreadyExistsException',
  'purge-started': 'AlreadyExistsException',
  'undo-period-over': 'AlreadyExistsException',
  'files-gone': 'NotFoundException',
  'namespace-not-empty': 'NamespaceNotEmptyException',
  'environment-protected': 'ForbiddenException',
  'table-held': 'ForbiddenException',
  // Retrying the commit can't succeed while the quota is exceeded.
  'quota-exceeded': 'ForbiddenException',
  // The result of the first request is still open, so the client should retry with the same key.
  'idempotency-key-in-use': 'ServiceUnavailableException',
  'database-unavailable': 'ServiceUnavailableException',
  'storage-full': 'ServiceUnavailableException',
  'storage-unavailable': 'ServiceUnavailableException',
  'no-such-route': 'NotFoundException',
};

const BY_STATUS: Record<number, CatalogErrorType> = {
  401: 'NotAuthorizedException',
  403: 'ForbiddenException',
  409: 'CommitFailedException',
  429: 'TooManyRequestsException',
  503: 'ServiceUnavailableException',
};

/** Maps any error of svc to the protocol (HTTP-10). */
export function toCatalogError(problem: ApiError, noun: CatalogNoun): CatalogError {
  const type = typeOf(problem, noun);
  const { retryAfter } = problem;
  const hasSameStatus = [405, 408, 413, 415].includes(problem.status);
  return new CatalogError(type, problem.detail, {
    ...(hasSameStatus ? { status: problem.status } : {}),
    retryAfter,
    cause: problem.cause,
  });
}

function typeOf({ code, status }: ApiError, noun: CatalogNoun): CatalogErrorType {
  const known = BY_CODE[code];
  if (known !== undefined) return known;
  if (status === 404) return MISSING[noun];
  return BY_STATUS[status] ?? (status >= 500 ? 'InternalServerError' : 'BadRequestException');
}

/** A 404 with the message that engines expect, and a hint. */
export function missing(noun: 'namespace' | 'table' | 'view', name: string, hint?: string): CatalogError {
  const nounText = { namespace: 'Namespace', table: 'Table', view: 'View' }[noun];
  const message = `${nounText} does not exist: ${name}`;
  return new CatalogError(MISSING[noun], hint === undefined ? message : `${message}. ${hint}`);
}

/** 400. */
export function badRequest(message: string): CatalogError {
  return new CatalogError('BadRequestException', message);
}

const NOUN_OF_KIND: Readonly<Record<string, string>> = { managed: 'Table', external: 'External table', view: 'View' };

/** 409: an object of that kind already has the name that the `requested` one should get. */
export function nameTakenError(requested: 'table' | 'view', kind: string, name: string): CatalogError {
  const existing = NOUN_OF_KIND[kind] ?? 'Artifact';
  const same = (requested === 'table' && kind === 'managed') || (requested === 'view' && kind === 'view');
  const message = same ? `${existing} already exists: ${name}` : `${existing} with same name already exists: ${name}`;
  return new CatalogError('AlreadyExistsException', `${message}. Choose another name, or drop it first.`);
}
