import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { ApiError } from '@svc/core/errors';
import express, { type Request, type Response, Router } from 'express';
import { ICON, SCRIPT, STYLE } from '../../docs/assets.ts';
import { landingPage, layout, missingPage, resultsBody } from '../../docs/layout.ts';
import type { Guides } from '../../docs/pages.ts';

const API_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>svc API</title>
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/api/assets/swagger-ui.css"><link rel="stylesheet" href="/docs/style.css">
</head>
<body><nav class="bar"><a href="/"><strong>svc</strong></a> · <a href="/docs">Documentation</a></nav><div id="api"></div>
<script src="/docs/api/assets/swagger-ui-bundle.js"></script><script src="/docs/api/start.js"></script>
</body>
</html>`;

const API_START = `SwaggerUIBundle({ url: '/api/v1/openapi.json', dom_id: '#api', deepLinking: true, validatorUrl: null });`;

/** Serves the guides at `/docs` and the OpenAPI document as a page at `/docs/api`, without external resources. */
export function docs(version: string, { hasConsole }: { hasConsole: boolean }): Router {
  const router = Router();
  // The address that the service prints when it starts.
  router.get('/', (_req, res) => {
    res.type('html').send(landingPage(version, hasConsole));
  });
  apiPages(router);
  guidePages(router);
  return router;
}

function apiPages(router: Router): void {
  const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  router.get('/docs/api', (_req, res) => {
    res.type('html').send(API_PAGE);
  });
  router.get('/docs/api/start.js', (_req, res) => {
    res.type('js').send(API_START);
  });
  router.use('/docs/api/assets', express.static(assets, { index: false, dotfiles: 'deny', maxAge: '1d' }));
}

function guidePages(router: Router): void {
  // Loaded and rendered on the first visit and then cached, so that they don't delay startup.
  let guides: Promise<Guides> | undefined;
  const read = () => {
    guides ??= import('../../docs/pages.ts').then(({ readGuides }) => readGuides());
    return guides;
  };
  for (const [path, type, text] of [
    ['/docs/style.css', 'css', STYLE],
    ['/docs/copy.js', 'js', SCRIPT],
    ['/docs/icon.svg', 'svg', ICON],
  ] as const)
    router.get(path, (_req, res) => {
      res.type(type).send(text);
    });
  router.get(['/docs', '/docs/*path'], async (req, res) => {
    const all = await read();
    const searchQuery = new URL(req.url, 'http://localhost').searchParams.get('q')?.slice(0, 200);
    if (searchQuery) {
      const { searchGuides } = await import('../../docs/search.ts');
      const body = resultsBody(searchGuides(all, searchQuery), searchQuery);
      res.type('html').send(layout(all, { title: 'Search', body, searchQuery }));
      return;
    }
    const path = ([] as string[]).concat(req.params['path'] ?? []).join('/');
    const image = all.images.get(path);
    if (image !== undefined) return res.sendFile(image, { maxAge: '1d' });
    const page = all.byPath.get(path);
    if (page === undefined) {
      if (sendMissingPage(req, res)) return;
      throw new ApiError('no-such-route', `There is no page ${req.path}. All pages: /docs`);
    }
    res.type('html').send(layout(all, { title: page.title, body: page.html, path, headings: page.headings }));
  });
}

/**
 * Sends the 404 page to browsers, which list HTML in Accept. Other clients, and every client of the API or the catalog, get
 * problem details.
 */
export function sendMissingPage(req: Request, res: Response): boolean {
  if (/^\/(api|catalog)(\/|$)/.test(req.path)) return false;
  if (req.method !== 'GET' || !req.get('accept')?.includes('text/html')) return false;
  res.status(404).set('Cache-Control', 'no-store').type('html').send(missingPage(req.path));
  return true;
}
