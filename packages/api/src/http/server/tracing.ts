import type { Span, Traces } from '@svc/core/traces';
import type { RequestHandler, Response } from 'express';
import { requestIdOf } from '../request/request-id.ts';

/** Machines request these every few seconds, which would clutter traces; a stream of events lasts as long as its reader looks. */
const UNTRACED = new Set(['/livez', '/readyz', '/readyz/storage', '/metrics', '/api/v1/events/stream']);
/** The methods of HTTP; any other method is text that the client made up. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Traces each request in a span that continues the trace named by `traceparent`. The span contains no path or query,
 * which include names, and no headers.
 */
export function tracing(traces: Traces): RequestHandler {
  return (req, res, next) => {
    if (UNTRACED.has(req.path)) return next();
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

/** The span of this request, if it is traced. */
export function spanOf(res: Response): Span | undefined {
  return res.locals['span'] as Span | undefined;
}

/** Records the route's path template once the route is known. */
export function setRouteName(res: Response, { method, route }: { method: string; route: string }): void {
  const span = spanOf(res);
  span?.rename(`${method} ${route}`);
  span?.setAttributes({ 'http.route': route });
}
