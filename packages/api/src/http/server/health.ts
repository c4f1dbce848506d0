import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { zoneDatabaseVersion } from '@svc/core/jobs';
import { recent } from '@svc/core/recent';
import { isResponding } from '@svc/db/connection';
import { schemaVersion } from '@svc/db/migrate';
import { isDiskFull } from '@svc/lake/storage';
import { Router } from 'express';
import type { ApiDeps } from '../deps.ts';
import { metricsRoute } from './metrics-route.ts';

/** Storage that doesn't respond within this time is reported as unavailable; other callers wait longer. */
const TIMEOUT_MS = 5000;
const SMALL_FILE = Buffer.alloc(64 * 1024);

async function answers(store: ApiDeps['store']): Promise<void> {
  await store.stat(`${store.root}/.readyz`);
  // For a local folder, this checks that it exists, is writable, and has space: a folder alone can be made on a full disk, too.
  const stage = await store.openStage();
  try {
    await writeFile(join(stage.dir, 'space'), SMALL_FILE);
  } finally {
    await stage.close();
  }
}

async function late(): Promise<never> {
  await delay(TIMEOUT_MS, undefined, { ref: false });
  throw new Error(`the storage said nothing for ${TIMEOUT_MS / 1000} s`);
}

async function storageFault({ store, log }: ApiDeps): Promise<string | null> {
  try {
    await Promise.race([answers(store), late()]);
    return null;
  } catch (error) {
    const cause = isDiskFull(error) ? 'the disk of the service is full' : 'the storage does not respond';
    log.warn({ err: error }, cause);
    return cause;
  }
}

async function databaseFault({ db }: ApiDeps): Promise<string | null> {
  return (await isResponding(db)) ? null : 'the database does not respond';
}

/** Routes for operators, outside the route table: they need no credential and reveal nothing about users. */
export function health(deps: ApiDeps): Router {
  const router = Router();
  // Anyone can request these routes, so requests at the same time share one check. A result isn't reused later: an outage shows at once.
  const now = () => performance.now();
  const database = recent(() => databaseFault(deps), 0, now);
  const storage = recent(() => storageFault(deps), 0, now);
  router.get('/livez', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/readyz', async (_req, res) => {
    const cause = deps.drain.started ? 'the service is stopping' : await database();
    if (cause === null) res.json({ status: 'ok' });
    else res.status(503).set('Retry-After', '2').json({ status: 'unavailable', cause });
  });
  // Separate from /readyz, because a short storage outage must not take every server out of service.
  router.get('/readyz/storage', async (_req, res) => {
    const cause = await storage();
    if (cause === null) res.json({ status: 'ok' });
    else res.status(503).set('Retry-After', '2').json({ status: 'unavailable', cause });
  });
  router.get('/version', async (_req, res) => {
    res.json({
      service: deps.version,
      schema: await schemaVersion(),
      zone_database: zoneDatabaseVersion(),
    });
  });
  if (deps.settings.metricsListen === undefined) router.get('/metrics', metricsRoute(deps));
  return router;
}
