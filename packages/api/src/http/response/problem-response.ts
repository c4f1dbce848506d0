import { ApiError, ERRORS, type ProblemDetails } from '@svc/core/errors';
import { FILES_GONE } from '@svc/core/tables';
import { isConnectionLost, isDatabaseFull, isOverload } from '@svc/db/connection';
import { StorageError } from '@svc/iceberg';
import { isDiskFull, isOutage, storageFailure } from '@svc/lake/storage';
import type { ErrorRequestHandler, Request, Response } from 'express';
import type { Logger } from 'pino';
import { requestIdOf } from '../request/request-id.ts';

export const PROBLEM_TYPE = 'application/problem+json';

/** RFC 9457 problem details. Errors other than ApiError have become a 500 by now; their cause is only logged. */
export function problemBody(problem: ApiError, at: { instance: string; requestId: string }): ProblemDetails {
  // A 422 always has a pointer; one about the whole request points at its root.
  const fallback = problem.status === 422 ? [{ pointer: '', message: problem.detail }] : undefined;
  const errors = problem.errors ?? fallback;
  return {
    type: `urn:svc:problem:${problem.code}`,
    title: ERRORS[problem.code].title,
    status: problem.status,
    detail: problem.detail,
    instance: at.instance,
    code: problem.code,
    request_id: at.requestId,
    ...(errors === undefined ? {} : { errors }),
    ...(problem.remedy === undefined ? {} : { remedy: problem.remedy }),
    ...(problem.secondFactor === undefined ? {} : { second_factor: problem.secondFactor }),
  };
}

function sendProblem(req: Request, res: Response, problem: ApiError): void {
  const body = problemBody(problem, { instance: req.path, requestId: requestIdOf(res) });
  if (problem.retryAfter !== undefined) res.set('Retry-After', String(problem.retryAfter));
  if (problem.status === 401) res.set('WWW-Authenticate', 'Bearer');
  res.status(problem.status).set('Cache-Control', 'no-store').type(PROBLEM_TYPE).send(JSON.stringify(body));
}

export function problemHandler(log: Logger): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const problem = toApiError(error);
    if (problem.status >= 500) log.error({ err: error, requestId: requestIdOf(res), path: req.path }, problem.detail);
    if (res.headersSent) return void res.destroy();
    sendProblem(req, res, problem);
    if (!req.complete) linger(req);
  };
}

/** Milliseconds that a rejected upload may continue. */
const LINGER = 30_000;

/**
 * Reads and discards what a client still sends after its response. If the server closed at once, the system would reset
 * the connection and the client would see a broken pipe instead of the response.
 */
export function linger(req: Request): void {
  const timer = setTimeout(() => req.destroy(), LINGER).unref();
  req.once('close', () => clearTimeout(timer));
  req.on('error', () => undefined);
  req.resume();
}

/** Whether storage caused the error, rather than the client. */
export const isOfStorage = (error: unknown): boolean =>
  error instanceof StorageError || isOutOfSpace(error) || isOutage(error);

/** Whether the error is due to a full disk, of the file storage or of the database. */
export const isOutOfSpace = (error: unknown): boolean => isDiskFull(error) || isDatabaseFull(error);

export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const storageReason = storageFailure(error);
  if (storageReason !== null) {
    const again = storageReason.code === 'storage-unavailable' ? { retryAfter: 5 } : {};
    return new ApiError(storageReason.code, storageReason.detail, { ...again, cause: error });
  }
  const { status } = (error ?? {}) as { status?: number };
  if (error instanceof URIError || status === 400) {
    return new ApiError('malformed-request', 'The path is not valid percent-encoded UTF-8. Correct it.', {
      cause: error,
    });
  }
  if (isOutOfSpace(error)) {
    const detail = 'The disk of the service is full. Nothing was changed. Ask the operator to free some space.';
    return new ApiError('storage-full', detail, { cause: error });
  }
  if (error instanceof StorageError && error.reason === 'missing') {
    const { code, detail, remedy } = FILES_GONE;
    return new ApiError(code, detail, { remedy, cause: error });
  }
  const ofDatabase = databaseUnavailable(error);
  if (ofDatabase !== null) return ofDatabase;
  return new ApiError(
    'internal',
    'The service failed unexpectedly. The operator finds the cause in the log under the request id.',
    { cause: error },
  );
}

function databaseUnavailable(error: unknown): ApiError | null {
  const unavailable = (detail: string, retryAfter: number) =>
    new ApiError('database-unavailable', detail, { retryAfter, cause: error });
  const { code, name } = (error ?? {}) as { code?: string; name?: string };
  if (code === 'P1001' || code === 'ECONNREFUSED' || name === 'PrismaClientInitializationError')
    return unavailable('The database does not respond. Nothing was changed. Try again soon.', 2);
  if (isOverload(error))
    return unavailable('The database is too busy to respond in time. Nothing was changed. Try again soon.', 5);
  if (isConnectionLost(error))
    return unavailable(
      'The connection to the database was lost. If the request changes something, that may have happened. Repeat it with the same Idempotency-Key.',
      2,
    );
  return null;
}
