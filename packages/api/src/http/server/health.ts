import { zoneDatabaseVersion } from '@svc/core/jobs';
import { schemaVersion } from '@svc/db/migrate';
import { Router } from 'express';
import type { ApiDeps } from '../deps.ts';

/** Routes for operators, outside the route table: no credential, nothing about users. */
export function health(deps: ApiDeps): Router {
  const router = Router();
  router.get('/livez', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/readyz', async (_req, res) => {
    try {
      await deps.db.prisma.$queryRaw`SELECT 1`;
      res.json({ status: 'ok' });
    } catch {
      res.status(503).set('Retry-After', '2').json({ status: 'unavailable', cause: 'the database does not answer' });
    }
  });
  // Apart from /readyz: a hiccup of the storage must not take every server out of service.
  router.get('/readyz/storage', async (_req, res) => {
    try {
      await deps.store.stat(`${deps.store.root}/.readyz`);
      // Of a folder: whether there is one, and it can be written to.
      await (await deps.store.openStage()).close();
      res.json({ status: 'ok' });
    } catch (error) {
      deps.log.warn({ err: error }, 'the storage does not answer');
      res.status(503).set('Retry-After', '2').json({ status: 'unavailable', cause: 'the storage does not answer' });
    }
  });
  router.get('/version', async (_req, res) => {
    res.json({
      service: deps.version,
      schema: await schemaVersion(),
      zone_database: zoneDatabaseVersion(),
    });
  });
  router.get('/metrics', async (_req, res) => {
    const { registry } = deps.metrics;
    const further = (await deps.furtherMetrics?.metrics()) ?? '';
    res.type(registry.contentType).send((await registry.metrics()) + further);
  });
  return router;
}
