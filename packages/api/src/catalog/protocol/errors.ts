import { badRequest, type CatalogEndpoint, CatalogError, toCatalogError } from '@svc/core/catalog';
import { ApiError } from '@svc/core/errors';
import { isConnectionLost } from '@svc/db/connection';
import { CommitStateUnknownError, StorageError, UnsupportedTableError } from '@svc/iceberg';
import { isOutage } from '@svc/lake/storage';
import type { Response } from 'express';
import type { Logger } from 'pino';
import { AccessDeniedError } from '../../http/guard/denial.ts';
import { requestIdOf } from '../../http/request/request-id.ts';
import { toApiError } from '../../http/response/problem-response.ts';

/** Converts any thrown error to the protocol's form. */
export function asCatalogError(error: unknown, endpoint: Pick<CatalogEndpoint, 'noun' | 'commits'>): CatalogError {
  if (error instanceof CatalogError) return error;
  if (error instanceof AccessDeniedError) return new CatalogError('ForbiddenException', error.detail);
  if (error instanceof UnsupportedTableError) return new CatalogError('UnsupportedOperationException', error.message);
  if (error instanceof StorageError && error.reason === 'missing') {
    return new CatalogError('NotFoundException', `A metadata file is missing from storage: ${error.message}`);
  }
  if (error instanceof StorageError && error.reason === 'obstructed')
    return badRequest(`${error.message} Choose another location.`);
  const problem = error instanceof ApiError ? error : toApiError(error);
  // The transaction may have been committed; only the client can find out.
  const unclear =
    error instanceof CommitStateUnknownError ||
    problem.code === 'internal' ||
    isConnectionLost(error) ||
    isOutage(error);
  const unknown = endpoint.commits === true && unclear;
  if (unknown) {
    return new CatalogError(
      'CommitStateUnknownException',
      'The service failed during this commit, so it is unknown whether it was applied. Load the table to check.',
      { cause: error },
    );
  }
  return toCatalogError(problem, endpoint.noun);
}

export function sendCatalogError(res: Response, error: CatalogError, log: Logger, head: boolean): void {
  if (error.status >= 500) log.error({ err: error.cause ?? error, requestId: requestIdOf(res) }, error.message);
  if (res.headersSent) return void res.destroy();
  if (error.retryAfter !== undefined) res.set('Retry-After', String(error.retryAfter));
  if (error.status === 401) res.set('WWW-Authenticate', 'Bearer');
  res.status(error.status).type('application/json');
  if (head) res.end();
  else res.send(JSON.stringify(error.body));
}
