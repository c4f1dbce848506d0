import { accessEndpoints } from '@svc/core/access';
import { Problem } from '@svc/core/errors';
import { ALL_ENDPOINTS, openApiDocument } from '@svc/core/routes';
import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { pinoHttp } from 'pino-http';
import type { ApiDeps } from './deps.ts';
import { docs } from './docs.ts';
import { health } from './health.ts';
import { handler } from './pipeline.ts';
import { problemHandler } from './problem-answer.ts';
import { requestId } from './request-id.ts';
import type { Route } from './route.ts';

const expressPath = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** The whole HTTP interface. @throws when a route of the contract has no handler: nothing is mounted half. */
export function createApp(deps: ApiDeps, routes: readonly Route[], signIn: RequestHandler): Express {
  const app = express();
  app.disable('x-powered-by').set('etag', false).set('query parser', false).set('case sensitive routing', true);
  app.use(requestId(deps.newId));
  app.use(
    helmet({
      contentSecurityPolicy: {
        directives: {
          defaultSrc: ["'self'"],
          styleSrc: ["'self'", "'unsafe-inline'"],
          imgSrc: ["'self'", 'data:'],
          upgradeInsecureRequests: null,
        },
      },
    }),
  );
  app.use(
    pinoHttp({
      logger: deps.log,
      genReqId: (_req, res) => res.getHeader('X-Request-Id') as string,
      serializers: {
        req: ({ method, url, id }) => ({ method, path: String(url).split('?')[0], id }),
        res: ({ statusCode }) => ({ status: statusCode }),
      },
      customLogLevel: (_req, res) => (res.statusCode >= 500 ? 'error' : 'debug'),
    }),
  );
  app.use(health(deps));
  app.use(docs());
  app.get('/api/v1/openapi.json', (_req, res) => {
    res.json(openApiDocument(deps.version));
  });
  app.post(accessEndpoints.signIn.path, signIn);
  mount(app, deps, routes);
  app.use((req, _res) => {
    throw new Problem(
      'no-such-route',
      `There is no route ${req.method} ${req.path}. The routes stand in /api/v1/openapi.json.`,
    );
  });
  app.use(problemHandler(deps.log));
  return app;
}

function mount(app: Express, deps: ApiDeps, routes: readonly Route[]): void {
  const byId = new Map(routes.map((route) => [route.endpoint.id, route]));
  const methods = new Map<string, string[]>();
  // The sign-in has no caller: it is mounted by itself.
  for (const endpoint of ALL_ENDPOINTS.filter(({ needs }) => needs.kind !== 'public')) {
    const route = byId.get(endpoint.id);
    if (route === undefined) throw new Error(`the route table has ${endpoint.id}, but nothing handles it`);
    const path = expressPath(endpoint.path);
    const verb = endpoint.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    const handle = handler(deps, route);
    app[verb](path, (req, res, next) => {
      const began = performance.now();
      res.on('finish', () =>
        deps.metrics.request(
          { method: endpoint.method, route: endpoint.path, status: res.statusCode },
          (performance.now() - began) / 1000,
        ),
      );
      return handle(req, res, next);
    });
    methods.set(path, [...(methods.get(path) ?? []), endpoint.method]);
    byId.delete(endpoint.id);
  }
  if (byId.size > 0) throw new Error(`not in the route table: ${[...byId.keys()].join(', ')}`);
  for (const [path, allowed] of methods) {
    app.all(path, (req, res) => {
      res.set('Allow', allowed.join(', '));
      throw new Problem('method-not-allowed', `${req.path} takes ${allowed.join(', ')}, not ${req.method}.`);
    });
  }
}
