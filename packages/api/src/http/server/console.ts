import { ApiError } from '@svc/core/errors';
import { type Request, type Response, Router } from 'express';
import { type ConsoleFiles, copyOf } from '../../console/index.ts';

/** The page runs its own files only, and nothing may show it in a frame. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Serves the console at `/console`: the page for every path, which the console reads, and its files below `assets`. */
export function consoleRoutes({ page, assets }: ConsoleFiles): Router {
  const router = Router();
  router.get('/console/assets/:name', (req: Request<{ name: string }>, res) => {
    const asset = assets.get(req.params.name);
    if (asset === undefined)
      throw new ApiError(
        'no-such-route',
        `The console has no file ${req.path}. Reload the page: it may be of an older version.`,
      );
    const encoding = req.acceptsEncodings([...asset.encodings, 'identity']) || 'identity';
    if (encoding !== 'identity') res.set('Content-Encoding', encoding);
    res.set({ 'Cache-Control': 'public, max-age=31536000, immutable', Vary: 'Accept-Encoding' }).type(asset.type);
    res.sendFile(copyOf(asset, encoding), { cacheControl: false, lastModified: false });
  });
  const sendPage = (_req: Request, res: Response) => {
    res.set({ 'Content-Security-Policy': POLICY, 'X-Frame-Options': 'DENY', 'Cache-Control': 'no-cache' });
    res.type('html').send(page);
  };
  router.get(['/console', '/console/*path'], sendPage);
  return router;
}
