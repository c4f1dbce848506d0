import { pipeline, type Readable } from 'node:stream';
import { ApiError } from '@svc/core/errors';
import type { Response } from 'express';
import type { Context } from '../context.ts';
import type { ApiDeps } from '../deps.ts';
import { AccessDeniedError } from '../guard/denial.ts';
import { recordDenial } from '../guard/record-denial.ts';
import { whileAllowed } from '../guard/still-allowed.ts';
import type { StoredResponse } from '../request/idempotency.ts';
import { requestIdOf } from '../request/request-id.ts';
import type { Route, StreamResponse } from '../route.ts';
import { PROBLEM_TYPE } from './problem-response.ts';

/** A response that isn't streamed. */
export type WholeResponse = StoredResponse & { headers?: Record<string, string> };

/** Writes the response directly, which skips Express extras such as ETags. */
export function send(res: Response, { status, body, headers = {} }: WholeResponse): void {
  // Responses contain tokens, rows and permissions, which no cache may store.
  res.setHeader('Cache-Control', 'no-store');
  if (status === 204) return void res.writeHead(status, headers).end();
  const text = Buffer.from(JSON.stringify(body));
  const type = status >= 400 ? PROBLEM_TYPE : 'application/json; charset=utf-8';
  res.writeHead(status, { ...headers, 'Content-Type': type, 'Content-Length': text.length }).end(text);
}

export async function sendStream(ctx: Context, route: Route, response: StreamResponse): Promise<void> {
  const { deps, req, res } = ctx;
  const { type, headers, checksCaller } = response;
  // Its errors destroy the stream that passes it on.
  const body = checksCaller ? response.body : pipeline(response.body, whileAllowed(ctx, route), () => undefined);
  res.once('close', () => body.destroy());
  if (res.closed) body.destroy();
  // A body that fails before its first byte gets an error response.
  if (!(await hasStarted(body))) return;
  res.status(200).set({ 'Cache-Control': 'no-store', 'Content-Type': type, ...headers });
  if (req.method === 'HEAD') {
    body.destroy();
    return void res.end();
  }
  // A body that fails partway closes the connection, so that the client doesn't mistake it for a complete one.
  body.on('error', (error) => {
    const level = error instanceof ApiError && error.status < 500 ? 'warn' : 'error';
    deps.log[level]({ err: error, requestId: requestIdOf(res) }, 'a response broke off');
    // The caller lost the permission while the response was sent.
    const recorded = error instanceof AccessDeniedError ? recordDenial(ctx, route, error) : Promise.resolve();
    recorded
      .catch((err: unknown) => deps.log.error({ err, requestId: requestIdOf(res) }, "a denial couldn't be recorded"))
      .finally(() => res.destroy(error));
  });
  body.pipe(res);
}

/** Waits for the first bytes of a body, or for its end. Returns false if it is destroyed before. @throws the body's error */
function hasStarted(body: Readable): Promise<boolean> {
  return new Promise((resolve, reject) => {
    body.once('readable', () => resolve(true));
    // An empty body may end without becoming readable.
    body.once('end', () => resolve(true));
    body.once('close', () => resolve(false));
    body.once('error', reject);
    if (body.readableEnded) resolve(true);
    else if (body.destroyed && body.errored === null) resolve(false);
  });
}

/** Validates the response against the contract; enabled in tests. */
export function validateResponse(deps: ApiDeps, { endpoint }: Route, { status, body }: WholeResponse): void {
  if (!deps.validateResponses) return;
  const schema =
    status === endpoint.response.status && 'schema' in endpoint.response
      ? endpoint.response.schema
      : endpoint.otherResponses?.[status];
  schema?.parse(JSON.parse(JSON.stringify(body ?? null)));
}
