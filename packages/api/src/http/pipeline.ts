import { once as nextEvent } from 'node:events';
import { pipeline, Transform } from 'node:stream';
import { isStreamBody } from '@svc/core/contract';
import { ApiError } from '@svc/core/errors';
import { recordEvent } from '@svc/db/audit';
import { inTransaction, type Transaction } from '@svc/db/connection';
import type { Request, RequestHandler, Response } from 'express';
import * as z from 'zod';
import { Context } from './context.ts';
import type { ApiDeps } from './deps.ts';
import { authorize, MOMENT_MS, requireStillAllowed, targetScope } from './guard/authorize.ts';
import { AccessDeniedError, denialDetail } from './guard/denial.ts';
import { openRequest } from './guard/open-request.ts';
import {
  bodyHasher,
  type IdempotentRequest,
  idempotencyKey,
  idempotentRequest,
  once,
  type StoredResponse,
} from './request/idempotency.ts';
import { parseInput, parseJson, rawQuery, readBody, withoutNulls } from './request/input.ts';
import { requestIdOf } from './request/request-id.ts';
import { PROBLEM_TYPE, problemBody } from './response/problem-response.ts';
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
      check(deps, route, response);
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

/**
 * Replaces NUL, which the database can't accept even in a query, with a noncharacter. No name contains either of them.
 */
export function storable(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([key, name]) => [key, name.replaceAll('\0', '\uffff')]));
}

export function readBreakGlass(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const expectationFailed = new ApiError(
    'invalid-request',
    'Svc-Break-Glass must be a reason of 1 to 500 characters, percent-encoded UTF-8.',
    {
      errors: [{ parameter: 'Svc-Break-Glass', message: 'must be a reason of 1 to 500 characters, percent-encoded' }],
    },
  );
  try {
    const reason = decodeURIComponent(String(header)).trim();
    if (reason === '' || [...reason].length > 500 || reason.includes('\0')) throw expectationFailed;
    return reason;
  } catch {
    throw expectationFailed;
  }
}

type Plain = StoredResponse & { headers?: Record<string, string> };

async function read(ctx: Context, route: Route): Promise<Plain | StreamResponse> {
  const result = await route.handle(ctx as never, undefined);
  if (result instanceof StreamResponse) return result;
  await requireAllowedAfter(ctx, route);
  return plain(ctx, route, result);
}

function plain(ctx: Context, { endpoint }: Route, result: unknown): Plain {
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

async function change(bare: Context, route: Route): Promise<Plain> {
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
async function completed(ctx: Context, { endpoint, afterCommit }: Route, response: Plain): Promise<Plain> {
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

/** Writes AUTHORIZATION_DENIED outside the transaction, which is rolled back. */
export async function recordDenial(
  ctx: Context,
  { endpoint }: { endpoint: { method: string; path: string } },
  { denial }: AccessDeniedError,
): Promise<void> {
  ctx.deps.metrics.denied(denial.action ?? 'none');
  await recordEvent(ctx.deps.db.prisma, {
    id: ctx.deps.newId(),
    time: ctx.now,
    type: 'AUTHORIZATION_DENIED',
    principal: { id: ctx.caller.id, name: ctx.caller.name },
    object: denial.object,
    environmentId:
      denial.environmentId ?? (denial.object.environment === null ? null : (ctx.object.environment?.id ?? null)),
    requestId: ctx.requestId,
    detail: denialDetail(endpoint, denial),
  });
}

/** Writes the response directly, which skips Express extras such as ETags. */
function send(res: Response, { status, body, headers = {} }: Plain): void {
  // Responses contain tokens, rows and permissions, which no cache may store.
  res.setHeader('Cache-Control', 'no-store');
  if (status === 204) return void res.writeHead(status, headers).end();
  const text = Buffer.from(JSON.stringify(body));
  const type = status >= 400 ? PROBLEM_TYPE : 'application/json; charset=utf-8';
  res.writeHead(status, { ...headers, 'Content-Type': type, 'Content-Length': text.length }).end(text);
}

/** An upload can take hours, and a request that waits a minute. @throws ApiError */
async function requireAllowedAfter(ctx: Context, route: Route): Promise<void> {
  const now = ctx.deps.clock();
  if (now.getTime() - ctx.now.getTime() > MOMENT_MS) await requireStillAllowed(ctx, route, now);
}

/** Passes the pieces of a response on for as long as its caller may receive them. */
function whileAllowed(ctx: Context, route: Route): Transform {
  let checkedAt = ctx.now.getTime();
  return new Transform({
    transform(piece, _encoding, done) {
      const now = ctx.deps.clock();
      if (now.getTime() - checkedAt <= MOMENT_MS) return done(null, piece);
      checkedAt = now.getTime();
      requireStillAllowed(ctx, route, now).then(() => done(null, piece), done);
    },
  });
}

async function sendStream(ctx: Context, route: Route, response: StreamResponse): Promise<void> {
  const { deps, res } = ctx;
  const { type, headers, checksCaller } = response;
  // Its errors destroy the stream that passes it on.
  const body = checksCaller ? response.body : pipeline(response.body, whileAllowed(ctx, route), () => undefined);
  // A body that fails before its first byte gets an error response.
  await nextEvent(body, 'readable');
  res.status(200).set({ 'Cache-Control': 'no-store', 'Content-Type': type, ...headers });
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
  res.on('close', () => body.destroy());
  body.pipe(res);
}

/** Validates the response against the contract; enabled in tests. */
function check(deps: ApiDeps, { endpoint }: Route, { status, body }: Plain): void {
  if (!deps.validateResponses) return;
  const schema =
    status === endpoint.response.status && 'schema' in endpoint.response
      ? endpoint.response.schema
      : endpoint.otherResponses?.[status];
  schema?.parse(JSON.parse(JSON.stringify(body ?? null)));
}
