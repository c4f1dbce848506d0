import type { AnyEndpoint } from '@svc/core/contract';
import { ApiError } from '@svc/core/errors';
import { liveEventEndpoints } from '@svc/core/events';
import { ALL_ENDPOINTS, openApiDocument } from '@svc/core/routes';
import express, { type Express, type RequestHandler } from 'express';
import { consoleFolder, readConsole } from '../console/index.ts';
import type { ApiDeps } from './deps.ts';
import { EMPTY, handler } from './pipeline.ts';
import { clientAddress, networkOf } from './request/client-address.ts';
import { parseInput, rawQuery } from './request/input.ts';
import { requestId } from './request/request-id.ts';
import { sessionOf } from './request/session-request.ts';
import { problemHandler } from './response/problem-response.ts';
import type { Route } from './route.ts';
import { RouteTree } from './route-tree.ts';
import { accessLog } from './server/access-log.ts';
import { consoleRoutes } from './server/console.ts';
import { docs, sendMissingPage } from './server/docs.ts';
import { health } from './server/health.ts';
import { securityHeaders } from './server/security-headers.ts';
import { setRouteName, tracing } from './server/tracing.ts';

/** What the HTTP interface consists of, besides the routes with an authenticated caller. */
export interface AppParts {
  publicRoutes: readonly PublicRoute[];
  catalog: RequestHandler;
  /** Provisioning of people and groups. */
  scim: RequestHandler;
  /** The sign-in with identity providers, part of the console. */
  browserSignIn: RequestHandler;
  /** For the sessions of other protocols in this process. */
  sessions: readonly Route[];
}

/** A route without an authenticated caller. */
export interface PublicRoute {
  endpoint: Pick<AnyEndpoint, 'method' | 'path'>;
  handle: RequestHandler;
}

/** Builds the HTTP interface. @throws when a route of the contract has no handler */
export function createApp(
  deps: ApiDeps,
  routes: readonly Route[],
  { publicRoutes, catalog, scim, browserSignIn, sessions }: AppParts,
): Express {
  const app = express();
  app.set('trust proxy', [...deps.settings.trustedProxies]);
  app.disable('x-powered-by').set('etag', false).set('query parser', false).set('case sensitive routing', true);
  // Without ETags, Express would still answer `If-None-Match: *` with 304.
  Object.defineProperty(app.request, 'fresh', { value: false });
  const { traces } = deps.db;
  const first = inOrder(requestId(deps.newId), securityHeaders(), accessLog(deps.log));
  app.use(traces === undefined ? first : inOrder(first, tracing(traces), callNext));
  app.use(api(deps, routes, publicRoutes));
  app.use(ofSessions(deps, sessions));
  app.use(catalog);
  app.use(scim);
  app.use(health(deps));
  if (deps.settings.consoleEnabled) app.use(browserSignIn);
  const folder = deps.settings.consoleEnabled ? consoleFolder() : null;
  if (folder !== null) app.use(consoleRoutes(readConsole(folder)));
  app.use(docs(deps.version, { hasConsole: folder !== null }));
  app.get('/api/v1/openapi.json', (_req, res) => {
    res.json(openApiDocument(deps.version));
  });
  app.use((req, res) => {
    if (sendMissingPage(req, res)) return;
    throw new ApiError(
      'no-such-route',
      `There is no route ${req.method} ${req.path}. See /api/v1/openapi.json for all routes.`,
    );
  });
  app.use(problemHandler(deps.log));
  return app;
}

/** Combines several handlers into one, because Express checks every layer for each request. */
const inOrder =
  (first: RequestHandler, second: RequestHandler, third: RequestHandler): RequestHandler =>
  (req, res, next) =>
    first(req, res, () => second(req, res, () => third(req, res, next)));

const callNext: RequestHandler = (_req, _res, next) => next();

function api(deps: ApiDeps, routes: readonly Route[], publicRoutes: readonly PublicRoute[]): RequestHandler {
  const byId = new Map(routes.map((route) => [route.endpoint.id, route]));
  const tree = new RouteTree<Mounted>();
  for (const { endpoint, handle } of publicRoutes)
    tree.add(endpoint.method, endpoint.path, { path: endpoint.path, handle: limited(deps, withoutQuery(handle)) });
  for (const endpoint of ALL_ENDPOINTS.filter(({ needs }) => needs.kind !== 'public')) {
    const route = byId.get(endpoint.id);
    if (route === undefined) throw new Error(`the route table has ${endpoint.id}, but nothing handles it`);
    tree.add(endpoint.method, endpoint.path, { path: endpoint.path, handle: handler(deps, route) });
    byId.delete(endpoint.id);
  }
  if (byId.size > 0) throw new Error(`not in the route table: ${[...byId.keys()].join(', ')}`);
  return mounted(deps, tree);
}

/** Limits requests without a caller by the network of their client. */
function limited({ anonymousLimiter, clock }: ApiDeps, handle: RequestHandler): RequestHandler {
  return (req, res, next) => {
    anonymousLimiter.consume(networkOf(clientAddress(req)), clock());
    return handle(req, res, next);
  };
}

/** No public route has query parameters. */
function withoutQuery(handle: RequestHandler): RequestHandler {
  return (req, res, next) => {
    parseInput(EMPTY, rawQuery(req.url), 'query');
    return handle(req, res, next);
  };
}

/** Routes for the sessions of other protocols in this process. For HTTP clients they don't exist. */
function ofSessions(deps: ApiDeps, routes: readonly Route[]): RequestHandler {
  const tree = new RouteTree<Mounted>();
  for (const route of routes) {
    const { method, path } = route.endpoint;
    tree.add(method, path, { path, handle: handler(deps, route) });
  }
  const handle = mounted(deps, tree);
  return (req, res, next) => (sessionOf(req) === null ? next() : handle(req, res, next));
}

interface Mounted {
  readonly path: string;
  readonly handle: RequestHandler;
}

function mounted(deps: ApiDeps, tree: RouteTree<Mounted>): RequestHandler {
  return (req, res, next) => {
    const match = tree.find(req.method, req.path);
    if (match.kind === 'none') return next();
    if (match.kind === 'other-methods') {
      const allowed = match.methods.join(', ');
      res.set('Allow', allowed);
      throw new ApiError('method-not-allowed', `${req.path} accepts ${allowed}, not ${req.method}.`);
    }
    const began = performance.now();
    const labels = { method: req.method, route: match.value.path };
    setRouteName(res, labels);
    let measured = false;
    const measure = () => {
      if (!measured) deps.metrics.request({ ...labels, status: res.statusCode }, (performance.now() - began) / 1000);
      measured = true;
    };
    // A stream of events lasts for as long as its reader wants: its response time is that of its start.
    if (match.value.path === liveEventEndpoints.stream.path) res.once('pipe', measure);
    res.on('finish', measure);
    req.params = match.params;
    return match.value.handle(req, res, next);
  };
}
