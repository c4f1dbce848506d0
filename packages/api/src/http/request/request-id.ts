import type { RequestHandler, Response } from 'express';

/** Accepts `X-Request-Id` (up to 128 printable characters) or generates one, and returns it in the response. */
export function requestId(newId: () => string): RequestHandler {
  return (req, res, next) => {
    const header = req.get('x-request-id');
    const id = header !== undefined && /^[\x21-\x7e]{1,128}$/.test(header) ? header : newId();
    res.locals['requestId'] = id;
    res.set('X-Request-Id', id);
    next();
  };
}

export function requestIdOf(res: Response): string {
  return res.locals['requestId'] as string;
}
