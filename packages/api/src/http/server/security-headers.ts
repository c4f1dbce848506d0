import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** Helmet's headers, computed once because they are the same for every response. */
export function securityHeaders(): RequestHandler {
  const headers = new Map<string, string>();
  const collect = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  };
  helmet({
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        baseUri: ["'none'"],
        upgradeInsecureRequests: null,
      },
    },
  })({} as IncomingMessage, collect as unknown as ServerResponse, (error) => {
    if (error) throw error;
  });
  const all = [...headers];
  return (_req, res, next) => {
    for (const [name, value] of all) res.setHeader(name, value);
    next();
  };
}
