import type { Problem, ProblemCode } from '../errors/index.ts';

/** The error types of the protocol that the service answers with; clients switch on them. */
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

/** A refusal in the words of the catalog protocol. */
export class CatalogRefusal extends Error {
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
    this.name = 'CatalogRefusal';
    this.type = type;
    this.status = options.status ?? STATUS[type];
    this.retryAfter = options.retryAfter;
  }

  /** The protocol's error model. */
  get body(): { error: { message: string; type: string; code: number } } {
    return { error: { message: this.message, type: this.type, code: this.status } };
  }
}

/** What a request is about: decides how "not found" is said. */
export type CatalogNoun = 'warehouse' | 'namespace' | 'table' | 'view';

const MISSING: Record<CatalogNoun, CatalogErrorType> = {
  warehouse: 'NoSuchWarehouseException',
  namespace: 'NoSuchNamespaceException',
  table: 'NoSuchTableException',
  view: 'NoSuchViewException',
};

/** Refusals of the service that the protocol has a type of its own for; every other one goes by its status. */
const BY_CODE: Partial<Record<ProblemCode, CatalogErrorType>> = {
  'already-exists': 'AlreadyExistsException',
  'name-taken': 'AlreadyExistsException',
  'dropped-with-purge': 'AlreadyExistsException',
  'purge-started': 'AlreadyExistsException',
  'undo-period-over': 'AlreadyExistsException',
  'files-gone': 'NotFoundException',
  'namespace-not-empty': 'NamespaceNotEmptyException',
  'environment-protected': 'ForbiddenException',
  'table-held': 'ForbiddenException',
  // No commit that is tried again succeeds while it lasts.
  'quota-exceeded': 'ForbiddenException',
  // The outcome of the first request is open: the same key is to be tried again.
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

/** Any refusal of the service as the protocol says it. */
export function catalogRefusal(problem: Problem, noun: CatalogNoun): CatalogRefusal {
  const type = typeOf(problem, noun);
  const { retryAfter } = problem;
  const kept = [405, 408, 413, 415].includes(problem.status);
  return new CatalogRefusal(type, problem.detail, {
    ...(kept ? { status: problem.status } : {}),
    retryAfter,
    cause: problem.cause,
  });
}

function typeOf({ code, status }: Problem, noun: CatalogNoun): CatalogErrorType {
  const known = BY_CODE[code];
  if (known !== undefined) return known;
  if (status === 404) return MISSING[noun];
  return BY_STATUS[status] ?? (status >= 500 ? 'InternalServerError' : 'BadRequestException');
}

/** 404 in the words that engines know, with what to do. */
export function missing(noun: 'namespace' | 'table' | 'view', name: string, hint?: string): CatalogRefusal {
  const what = { namespace: 'Namespace', table: 'Table', view: 'View' }[noun];
  const told = `${what} does not exist: ${name}`;
  return new CatalogRefusal(MISSING[noun], hint === undefined ? told : `${told}. ${hint}`);
}

/** 400. */
export function badRequest(message: string): CatalogRefusal {
  return new CatalogRefusal('BadRequestException', message);
}

const NOUN_OF_KIND: Readonly<Record<string, string>> = { managed: 'Table', external: 'External table', view: 'View' };

/** 409: the name that `wanted` should get is held by something of that kind. */
export function nameHeld(wanted: 'table' | 'view', kind: string, name: string): CatalogRefusal {
  const holder = NOUN_OF_KIND[kind] ?? 'Artifact';
  const same = (wanted === 'table' && kind === 'managed') || (wanted === 'view' && kind === 'view');
  const told = same ? `${holder} already exists: ${name}` : `${holder} with same name already exists: ${name}`;
  return new CatalogRefusal('AlreadyExistsException', `${told}. Choose another name, or drop it first.`);
}
