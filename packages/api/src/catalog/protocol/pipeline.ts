import { INSTANCE, scopeOf } from '@svc/core/access';
import { missing, pathFromText } from '@svc/core/catalog';
import { ApiError } from '@svc/core/errors';
import { inTransaction, type Transaction } from '@svc/db/connection';
import type { Request, RequestHandler, Response } from 'express';
import { Context } from '../../http/context.ts';
import type { ApiDeps } from '../../http/deps.ts';
import { authorize, type Guarded } from '../../http/guard/authorize.ts';
import { AccessDeniedError } from '../../http/guard/denial.ts';
import { openRequest } from '../../http/guard/open-request.ts';
import { recordDenial } from '../../http/guard/record-denial.ts';
import { readBreakGlass } from '../../http/request/break-glass.ts';
import { idempotencyKey } from '../../http/request/idempotency.ts';
import { rawQuery, storable } from '../../http/request/input.ts';
import { linger } from '../../http/response/problem-response.ts';
import { serveStaging, stagingOf } from '../staging.ts';
import { isSmallBody, parseCatalogBody, readCatalogBody } from './body.ts';
import { type CatalogContext, type CatalogParams, fullName } from './context.ts';
import { asCatalogError, sendCatalogError } from './errors.ts';
import { rememberRefusal, respondOnce } from './idempotency.ts';
import type { CatalogResponse } from './response.ts';
import type { CatalogRoute } from './route.ts';

/**
 * Uses the handler order of the service's own routes, with the protocol's errors and bodies: authenticate → load the
 * object the path names → authorize → parse → one transaction (change and audit event) → respond.
 */
export function catalogHandler(deps: ApiDeps, route: CatalogRoute): RequestHandler {
  const { endpoint } = route;
  const guarded: Guarded = { method: endpoint.method, path: `/catalog${endpoint.path}`, needs: endpoint.needs };
  return async (req, res) => {
    let ctx: CatalogContext | null = null;
    try {
      ctx = await openContext(deps, route, req, res);
      const staging = await stagingOf(ctx);
      send(res, await (staging === null ? respond(ctx, route, guarded) : serveStaging(ctx, route, staging)));
    } catch (error) {
      const reported = await recorded(ctx, guarded, toProtocolError(ctx, route, error));
      sendCatalogError(res, asCatalogError(reported, endpoint), deps.log, endpoint.method === 'HEAD');
      if (!req.complete) linger(req);
    }
  };
}

async function respond(ctx: CatalogContext, route: CatalogRoute, guarded: Guarded): Promise<CatalogResponse> {
  try {
    authorize(ctx as Context, guarded);
    await route.authorize?.(ctx);
  } catch (error) {
    const replayed = await replayDeletion(ctx, route, error);
    if (replayed !== null) return replayed;
    throw error;
  }
  return isChange(route.endpoint.method) ? runChange(ctx, route) : route.handle(ctx as never);
}

/**
 * What a repeated deletion receives, whose object is missing because the first request deleted it; null if there was no first request
 * with this Idempotency-Key. Callers without permission don't get here: their error isn't that the object is missing.
 */
async function replayDeletion(bare: CatalogContext, route: CatalogRoute, error: unknown) {
  const isMissing = error instanceof ApiError && error.status === 404;
  if (bare.req.method !== 'DELETE' || !isMissing || bare.req.get('idempotency-key') === undefined) return null;
  const { ctx, raw, key } = await readInput(bare, route);
  const notDone = () => Promise.reject(error);
  try {
    return await inTransaction(ctx.deps.db, async (tx: Transaction) => {
      ctx.db = tx;
      return respondOnce(ctx, route, { key: key!, raw }, notDone);
    });
  } finally {
    ctx.db = ctx.deps.db.prisma;
  }
}

/** Rewords errors about missing objects in the terms that engines expect. */
function toProtocolError(ctx: CatalogContext | null, { endpoint: { noun } }: CatalogRoute, error: unknown): unknown {
  const unknown = error instanceof ApiError && error.code === 'not-found' && ctx?.object.environment != null;
  const { namespace, table } = ctx?.target ?? INSTANCE;
  if (!unknown || noun === 'warehouse' || namespace === null) return error;
  return noun === 'namespace' ? missing(noun, namespace) : missing(noun, fullName(namespace, table ?? ''));
}

const isChange = (method: string): boolean => method === 'POST' || method === 'DELETE';

/** Records a denial before the response; if recording fails, returns that error instead. */
async function recorded(ctx: CatalogContext | null, endpoint: Guarded, error: unknown): Promise<unknown> {
  if (ctx === null || !(error instanceof AccessDeniedError)) return error;
  try {
    await recordDenial(ctx as Context, { endpoint }, error);
    return error;
  } catch (failure) {
    return failure;
  }
}

async function openContext(
  deps: ApiDeps,
  { endpoint }: CatalogRoute,
  req: Request,
  res: Response,
): Promise<CatalogContext> {
  const query = lastOf(rawQuery(req.url));
  const params = storable(req.params as Record<string, string>) as unknown as CatalogParams;
  if (params.namespace !== undefined) params.namespace = pathFromText(params.namespace);
  const target = scopeOf({
    // An empty warehouse counts as none.
    environment: endpoint.id === 'getConfig' ? query['warehouse']?.replaceAll('\0', '\uffff') || null : params.prefix,
    namespace: params.namespace,
    table: params.table ?? params.view,
  });
  const listId = `catalog.${endpoint.id}`;
  const request = await openRequest(deps, req, res, { target, listId, files: target.table !== null });
  const breakGlass = readBreakGlass(req.headers['svc-break-glass']);
  return new Context({ ...request, breakGlass }, { params, query, body: undefined }) as CatalogContext;
}

/** For a repeated parameter, the last value counts. */
function lastOf(query: Record<string, string | string[]>): Readonly<Record<string, string>> {
  const entries = Object.entries(query).map(([name, value]) => [name, Array.isArray(value) ? value.at(-1)! : value]);
  return Object.fromEntries(entries) as Record<string, string>;
}

/**
 * Runs authorization before it reports an invalid body, so that callers without permission always get the same error.
 */
async function readInput(bare: CatalogContext, route: CatalogRoute) {
  let raw: Buffer;
  let key: string | null;
  let ctx = bare as CatalogContext<never>;
  // If the caller lacks the permission everywhere, a large body isn't read and the error names the environment.
  if (!isSmallBody(bare.req)) await route.authorizeNamed?.(ctx);
  try {
    raw = await readCatalogBody(bare.req);
    key = idempotencyKey(bare.req.get('idempotency-key'), true);
    if (route.body !== null) ctx = bare.withBody(parseCatalogBody(raw, route.body)) as CatalogContext<never>;
  } catch (error) {
    await route.authorizeNamed?.(ctx);
    throw error;
  }
  await route.authorizeNamed?.(ctx);
  return { ctx, raw, key };
}

async function runChange(bare: CatalogContext, route: CatalogRoute): Promise<CatalogResponse> {
  const { ctx, raw, key } = await readInput(bare, route);
  if (key === null && route.needsNoTransaction?.(ctx)) return route.handle(ctx);
  try {
    return await inTransaction(ctx.deps.db, async (tx: Transaction) => {
      ctx.db = tx;
      const act = () => route.handle(ctx);
      return key === null ? act() : respondOnce(ctx, route, { key, raw }, act);
    });
  } catch (error) {
    if (key !== null) await rememberRefusal(ctx, route, { key, raw }, error);
    throw error;
  } finally {
    ctx.db = ctx.deps.db.prisma;
  }
}

function send(res: Response, { status, text, headers = {} }: CatalogResponse): void {
  // Metadata, file names and signatures must not be cached by default; a response may set its own header.
  res.setHeader('Cache-Control', 'no-store');
  if (text === undefined) return void res.writeHead(status, headers).end();
  res.writeHead(status, { ...headers, 'Content-Type': 'application/json', 'Content-Length': text.length }).end(text);
}
