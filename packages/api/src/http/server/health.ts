import { setTimeout as delay } from 'node:timers/promises';
import { zoneDatabaseVersion } from '@svc/core/jobs';
import { schemaVersion } from '@svc/db/migrate';
import { Router } from 'express';
import type { ApiDeps } from '../deps.ts';

/** Storage that doesn't respond within this time is reported as unavailable; other callers wait longer. */
const TIMEOUT_MS = 5000;

async function answers(store: ApiDeps['store']): Promise<void> {
  await store.stat(`${store.root}/.readyz`);
  // For a local folder, this checks that it exists and is writable.
  await (await store.openStage()).close();
}

async function late(): Promise<never> {
  await delay(TIMEOUT_MS, undefined, { ref: false });
  throw new Error(`the storage said nothing for ${TIMEOUT_MS / 1000} s`);
}

async function databaseFault({ db }: ApiDeps): Promise<string | null> {
  return db.prisma.$queryRaw`SELECT 1`.then(
    () => null,
    () => 'the database does not respond',
  );
}

/** Routes for operators, outside the route table: they need no credential and reveal nothing about users. */
export function health(deps: ApiDeps): Router {
  const router = Router();
  router.get('/livez', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/readyz', async (_req, res) => {
    const cause = deps.drain.started ? 'the service is stopping' : await databaseFault(deps);
    if (cause === null) res.json({ status: 'ok' });
    else res.status(503).set('Retry-After', '2').json({ status: 'unavailable', cause });
  });
  // Separate from /readyz, because a short storage outage must not take every server out of service.
  router.get('/readyz/storage', async (_req, res) => {
    try {
      await Promise.race([answers(deps.store), late()]);
      res.json({ status: 'ok' });
    } catch (error) {
      deps.log.warn({ err: error }, 'the storage does not respond');
      res.status(503).set('Retry-After', '2').json({ status: 'unavailable', cause: 'the storage does not respond' });
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
    const additional = (await deps.furtherMetrics?.metrics()) ?? '';
    res.type(registry.contentType).send((await registry.metrics()) + additional);
  });
  return router;
}
