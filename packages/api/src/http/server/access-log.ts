import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { requestIdOf } from '../request/request-id.ts';
import { spanOf } from './tracing.ts';

/**
 * Logs a line for each request: at level error for 5xx responses, otherwise at level debug. Never logs the query or
 * headers.
 */
export function accessLog(log: Logger): RequestHandler {
  return (req, res, next) => {
    const began = performance.now();
    const { method } = req;
    const path = req.originalUrl.split('?')[0];
    res.once('close', () => {
      const level = res.statusCode >= 500 ? 'error' : 'debug';
      if (!log.isLevelEnabled(level)) return;
      const responseTime = Math.round(performance.now() - began);
      const message = res.writableFinished ? 'request completed' : 'request aborted';
      const span = spanOf(res);
      // This runs in an event of the connection, outside the request's trace context.
      const trace = span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId };
      log[level](
        { ...trace, req: { id: requestIdOf(res), method, path }, res: { status: res.statusCode }, responseTime },
        message,
      );
    });
    next();
  };
}
