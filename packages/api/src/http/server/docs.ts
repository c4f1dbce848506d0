import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { ApiError } from '@svc/core/errors';
import express, { Router } from 'express';
import { layout, resultsBody, STYLE } from '../../docs/layout.ts';
import type { Guides } from '../../docs/pages.ts';

const API_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>svc API</title>
<link rel="stylesheet" href="/docs/api/assets/swagger-ui.css">
</head>
<body><div id="api"></div>
<script src="/docs/api/assets/swagger-ui-bundle.js"></script><script src="/docs/api/start.js"></script>
</body>
</html>`;

const API_START = `SwaggerUIBundle({ url: '/api/v1/openapi.json', dom_id: '#api', deepLinking: true, validatorUrl: null });`;

/** Serves the guides at `/docs` and the OpenAPI document as a page at `/docs/api`, without external resources. */
export function docs(): Router {
  const router = Router();
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
  const load = () => import('../../docs/pages.ts');
  let guides: Promise<Guides> | undefined;
  const read = () => {
    guides ??= load().then(({ readGuides }) => readGuides());
    return guides;
  };
  router.get('/docs/style.css', (_req, res) => {
    res.type('css').send(STYLE);
  });
  // The address printed at startup, opened in a browser.
  router.get('/', (_req, res) => res.redirect('/docs'));
  router.get(['/docs', '/docs/*path'], async (req, res) => {
    const all = await read();
    const question = new URL(req.url, 'http://localhost').searchParams.get('q')?.slice(0, 200);
    if (question) {
      const { searchGuides } = await load();
      const body = resultsBody(searchGuides(all, question), question);
      res.type('html').send(layout(all, { title: 'Search', body, question }));
      return;
    }
    const path = ([] as string[]).concat(req.params['path'] ?? []).join('/');
    const page = all.byPath.get(path);
    if (page === undefined) throw new ApiError('no-such-route', `There is no guide ${req.path}. All guides: /docs`);
    res.type('html').send(layout(all, { title: page.title, body: page.html, path }));
  });
}
