import { CATALOG_ENDPOINTS, CatalogError } from '@svc/core/catalog';
import type { RequestHandler } from 'express';
import type { ApiDeps } from '../../http/deps.ts';
import { RouteTree } from '../../http/route-tree.ts';
import { setRouteName } from '../../http/server/tracing.ts';
import { CATALOG_ROUTES } from '../routes.ts';
import { asCatalogError, sendCatalogError } from './errors.ts';
import { catalogHandler } from './pipeline.ts';
import { tokens } from './tokens.ts';

const BASE = '/catalog';

/** The Apache Iceberg REST catalog protocol below `/catalog`. @throws when an endpoint has no handler */
export function catalog(deps: ApiDeps): RequestHandler {
  const tree = new RouteTree<{ path: string; handle: RequestHandler }>();
  const handlers = new Map(CATALOG_ROUTES.map((route) => [route.endpoint.id, catalogHandler(deps, route)]));
  handlers.set(CATALOG_ENDPOINTS.getToken.id, tokens(deps));
  for (const { id, method, path } of Object.values(CATALOG_ENDPOINTS)) {
    const handle = handlers.get(id);
    if (handle === undefined) throw new Error(`the catalog's table has ${id}, but nothing handles it`);
    tree.add(method, `${BASE}${path}`, { path: `${BASE}${path}`, handle });
  }
  return async (req, res, next) => {
    if (!req.path.startsWith(`${BASE}/`)) return next();
    try {
      const match = tree.find(req.method, req.path);
      if (match.kind !== 'found') {
        if (match.kind === 'other-methods') res.set('Allow', match.methods.join(', '));
        throw noSuchEndpoint(req.method, req.path, match.kind === 'none' ? 404 : 405);
      }
      const began = performance.now();
      const { path, handle } = match.value;
      res.on('finish', () => {
        const seconds = (performance.now() - began) / 1000;
        deps.metrics.request({ method: req.method, route: path, status: res.statusCode }, seconds);
      });
      setRouteName(res, { method: req.method, route: path });
      req.params = match.params;
      await handle(req, res, next);
    } catch (error) {
      sendCatalogError(res, asCatalogError(error, { noun: 'warehouse' }), deps.log, req.method === 'HEAD');
    }
  };
}

function noSuchEndpoint(method: string, path: string, status: number): CatalogError {
  const type = status === 404 ? 'NotFoundException' : 'UnsupportedOperationException';
  const message = `There is no endpoint ${method} ${path}. GET ${BASE}/v1/config lists the endpoints.`;
  return new CatalogError(type, message, { status });
}
