import type { Span, Traces } from '@svc/core/traces';
import type { RequestHandler, Response } from 'express';
import { requestIdOf } from '../request/request-id.ts';

/** Asked by machines every few seconds: nobody looks for them in traces. */
const UNTOLD = new Set(['/livez', '/readyz', '/readyz/storage', '/metrics']);
/** Methods that HTTP knows; another one's text is the client's own. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * A span of each request, which goes on with the trace that `traceparent` names. It tells neither path nor query, which
 * hold names, nor any header.
 */
export function tracing(traces: Traces): RequestHandler {
  return (req, res, next) => {
    if (UNTOLD.has(req.path)) return next();
    const method = METHODS.has(req.method) ? req.method : '_OTHER';
    const span = traces.startSpan({
      name: method,
      kind: 'server',
      parent: req.get('traceparent'),
      attributes: { 'http.request.method': method, 'svc.request_id': requestIdOf(res) },
    });
    res.locals['span'] = span;
    res.once('close', () => {
      span.setAttributes({ 'http.response.status_code': res.statusCode });
      if (!res.writableFinished) span.fail('aborted');
      else if (res.statusCode >= 500) span.fail(String(res.statusCode));
      span.end();
    });
    traces.withSpan(span, next);
  };
}

/** The span of this request, where it is traced. */
export function spanOf(res: Response): Span | undefined {
  return res.locals['span'] as Span | undefined;
}

/** The route as the contract writes it, once it is found. */
export function tellRoute(res: Response, { method, route }: { method: string; route: string }): void {
  const span = spanOf(res);
  span?.rename(`${method} ${route}`);
  span?.setAttributes({ 'http.route': route });
}
