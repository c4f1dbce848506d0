import { isStreamBody } from '@svc/core/contract';
import { ApiError } from '@svc/core/errors';
import { inTransaction, type Transaction } from '@svc/db/connection';
import type { Request, RequestHandler, Response } from 'express';
import * as z from 'zod';
import { Context } from './context.ts';
import type { ApiDeps } from './deps.ts';
import { authorize, targetScope } from './guard/authorize.ts';
import { AccessDeniedError } from './guard/denial.ts';
import { openRequest } from './guard/open-request.ts';
import { recordDenial } from './guard/record-denial.ts';
import { requireAllowedAfter } from './guard/still-allowed.ts';
import { readBreakGlass } from './request/break-glass.ts';
import { bodyHasher, type IdempotentRequest, idempotencyKey, idempotentRequest, once } from './request/idempotency.ts';
import { parseInput, parseJson, rawQuery, readBody, storable, withoutNulls } from './request/input.ts';
import { problemBody } from './response/problem-response.ts';
import { send, sendStream, validateResponse, type WholeResponse } from './response/send.ts';
import { PageResponse, type Received, type Route, StatusResponse, StreamResponse } from './route.ts';

/** What a route without query parameters accepts. */
export const EMPTY = z.strictObject({});
const CHANGES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Runs every route in the same order: authenticate → load the object the path names → authorize → parse query and body
 * → one transaction (decision by state, change, audit event, stored response for the Idempotency-Key) → the work the
 * route waits for → respond. The error of a denial is recorded only here.
 */
export function handler(deps: ApiDeps, route: Route): RequestHandler {
  return async (req, res) => {
    const started = await openContext(deps, route, req, res);
    try {
      const ctx = started.authorized();
      const changes = CHANGES.has(route.endpoint.method);
      const response = changes ? await completed(ctx, route, await change(ctx, route)) : await read(ctx, route);
      if (response instanceof StreamResponse) return await sendStream(ctx, route, response);
      validateResponse(deps, route, response);
      send(res, response);
    } catch (error) {
      const shown = await denialFirst(started.ctx, route, error);
      if (shown instanceof AccessDeniedError) await recordDenial(started.ctx, route, shown);
      throw shown;
    }
  };
}

/**
 * Runs the route's authorization before it reports a validation error, so that a malformed request can't reveal whether
 * an object exists.
 */
async function denialFirst(ctx: Context, { authorize }: Route, error: unknown): Promise<unknown> {
  if (
    authorize === undefined ||
    !(error instanceof ApiError) ||
    error.status >= 500 ||
    error instanceof AccessDeniedError
  )
    return error;
  try {
    await authorize(ctx as never);
  } catch (refusal) {
    return refusal;
  }
  return error;
}

async function openContext(deps: ApiDeps, route: Route, req: Request, res: Response) {
  const { endpoint } = route;
  const params = storable(req.params as Record<string, string>);
  const common = await openRequest(deps, req, res, { target: targetScope(params), listId: endpoint.id });
  const bare = new Context(common, { params, query: {}, body: undefined });
  const authorized = () => {
    authorize(bare, endpoint);
    const query = parseInput(endpoint.query ?? EMPTY, rawQuery(req.url), 'query');
    const breakGlass = readBreakGlass(req.headers['svc-break-glass']);
    return new Context({ ...common, breakGlass }, { params, query: query as unknown, body: undefined as unknown });
  };
  return { ctx: bare, authorized };
}

async function read(ctx: Context, route: Route): Promise<WholeResponse | StreamResponse> {
  const result = await route.handle(ctx as never, undefined);
  if (result instanceof StreamResponse) return result;
  await requireAllowedAfter(ctx, route);
  return plain(ctx, route, result);
}

function plain(ctx: Context, { endpoint }: Route, result: unknown): WholeResponse {
  if (result instanceof StatusResponse) return { status: result.status, body: result.body };
  if (!(result instanceof PageResponse)) return { status: endpoint.response.status, body: result };
  if (result.next === null) return { status: 200, body: result.items };
  const cursor = ctx.cursorAt(result.next);
  const url = new URL(ctx.req.originalUrl, 'http://localhost');
  url.searchParams.set('cursor', cursor);
  return {
    status: 200,
    body: result.items,
    headers: { 'X-Next-Cursor': cursor, Link: `<${url.pathname}${url.search}>; rel="next"` },
  };
}

async function change(bare: Context, route: Route): Promise<WholeResponse> {
  const { method, noIdempotency } = route.endpoint;
  // Only POST requests need a key: repeating any other method has no further effect, so a key is ignored there.
  const key = method === 'POST' ? idempotencyKey(bare.req.get('idempotency-key'), !noIdempotency) : null;
  const { ctx, bodyHash, received } = await receiveBody(bare, route);
  if (key === null && route.needsNoTransaction?.(ctx as never))
    return plain(ctx, route, await route.handle(ctx as never, undefined));
  const request = key === null ? null : idempotentRequest(ctx, { key, bodyHash });
  // Once the handler has finished, a transaction that fails may still have been committed, and then its file is in use.
  let used = false;
  try {
    return await inTransaction(ctx.deps.db, async (tx: Transaction) => {
      ctx.db = tx;
      used = false;
      const act = async () => {
        const response = plain(ctx, route, await route.handle(ctx as never, received?.value));
        used = true;
        return response;
      };
      if (request === null) return act();
      const response = await once(tx, ctx, request, act);
      // A replayed response needs the caller's current permissions.
      if (!used) await route.authorize?.(ctx as never);
      return response;
    });
  } catch (error) {
    if (request !== null && isFinal(error)) await remember(ctx, request, error);
    throw error;
  } finally {
    ctx.db = ctx.deps.db.prisma;
    // The sweep removes a file that turns out to have no record.
    if (!used) await received?.discard();
  }
}

/** The response to a committed change, after the route's `afterCommit` hook. A replayed error stays as it is. */
async function completed(
  ctx: Context,
  { endpoint, afterCommit }: Route,
  response: WholeResponse,
): Promise<WholeResponse> {
  if (afterCommit === undefined || response.status !== endpoint.response.status) return response;
  return { ...response, body: await afterCommit(ctx as never, response.body) };
}

/** Whether repeating the request would produce the same error. Missing permissions are checked again each time. */
export function isFinal(error: unknown): error is ApiError {
  return (
    error instanceof ApiError &&
    error.status < 500 &&
    !(error instanceof AccessDeniedError) &&
    !error.code.startsWith('idempotency-')
  );
}

async function remember(ctx: Context, request: IdempotentRequest, problem: ApiError): Promise<void> {
  const body = problemBody(problem, { instance: ctx.req.path, requestId: ctx.requestId });
  await inTransaction(ctx.deps.db, (tx) => once(tx, ctx, request, async () => ({ status: problem.status, body })));
}

async function receiveBody(
  bare: Context,
  route: Route,
): Promise<{ ctx: Context; bodyHash: Buffer; received?: Received<unknown> }> {
  const { endpoint } = route;
  if (isStreamBody(endpoint.body)) {
    const type = (bare.req.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
    if (!endpoint.body.stream.includes(type)) {
      throw new ApiError(
        'unsupported-media-type',
        `Content-Type must be ${endpoint.body.stream.join(' or ')}, not ${type || 'missing'}.`,
      );
    }
    const received = await route.receive!(bare as never);
    await requireAllowedAfter(bare, route).catch(async (error: unknown) => {
      await received.discard();
      throw error;
    });
    return { ctx: bare, bodyHash: received.bodyHash, received };
  }
  const raw = await readBody(bare.req);
  const json = parseJson(raw, bare.req.get('content-type'));
  const value = json === undefined && (endpoint.bodyOptional || endpoint.body === undefined) ? {} : json;
  const schema = endpoint.body ?? EMPTY;
  const input = endpoint.method === 'POST' ? withoutNulls(schema, value) : value;
  const body: unknown = parseInput(schema, input, 'body', endpoint.sealed);
  return { ctx: bare.withBody(body), bodyHash: bodyHasher(bare).update(raw).digest() };
}
