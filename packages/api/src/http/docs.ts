import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import express, { Router } from 'express';

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>svc API</title>
<link rel="stylesheet" href="/docs/api/assets/swagger-ui.css">
</head>
<body><div id="api"></div>
<script src="/docs/api/assets/swagger-ui-bundle.js"></script><script src="/docs/api/start.js"></script>
</body>
</html>`;

const START = `SwaggerUIBundle({ url: '/api/v1/openapi.json', dom_id: '#api', deepLinking: true, validatorUrl: null });`;

/** The OpenAPI document as a page, served from this machine alone. */
export function apiDocs(): Router {
  const router = Router();
  const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  router.get('/docs', (_req, res) => res.redirect('/docs/api'));
  router.get('/docs/api', (_req, res) => {
    res.type('html').send(PAGE);
  });
  router.get('/docs/api/start.js', (_req, res) => {
    res.type('js').send(START);
  });
  router.use('/docs/api/assets', express.static(assets, { index: false, dotfiles: 'deny', maxAge: '1d' }));
  return router;
}
