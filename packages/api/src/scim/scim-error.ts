import type { ApiError } from '@svc/core/errors';
import { SCIM, ScimInputError } from '@svc/core/scim';
import type { Response } from 'express';
import { toApiError } from '../http/response/problem-response.ts';

export const SCIM_TYPE = 'application/scim+json';

/** Kinds of errors that the protocol has a name for. */
const TYPES: Readonly<Partial<Record<ApiError['code'], string>>> = {
  'already-exists': 'uniqueness',
  'malformed-json': 'invalidSyntax',
  'invalid-request': 'invalidValue',
};

/** Errors as RFC 7644 writes them. */
export function sendScimError(res: Response, error: unknown): ApiError | null {
  const known = error instanceof ScimInputError ? null : toApiError(error);
  const status = known === null ? 400 : known.status === 422 ? 400 : known.status;
  const scimType = error instanceof ScimInputError ? error.scimType : TYPES[known!.code];
  if (known?.retryAfter !== undefined) res.set('Retry-After', String(known.retryAfter));
  if (status === 401) res.set('WWW-Authenticate', 'Bearer');
  const body = {
    schemas: [SCIM.error],
    status: String(status),
    ...(scimType === undefined ? {} : { scimType }),
    detail: known?.detail ?? (error as Error).message,
  };
  res.status(status).set('Cache-Control', 'no-store').type(SCIM_TYPE).send(JSON.stringify(body));
  return known;
}
