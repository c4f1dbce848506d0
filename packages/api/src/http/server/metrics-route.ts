import { createServer } from 'node:http';
import { recent } from '@svc/core/recent';
import { cannotListen } from '@svc/core/settings';
import { hasBearerToken } from '@svc/db/metrics';
import type { RequestHandler } from 'express';
import express from 'express';
import type { ApiDeps } from '../deps.ts';

/** The metrics of this server, and of a worker in the same process. Concurrent scrapes share one response. */
export function metricsRoute({ metrics, furtherMetrics, settings }: ApiDeps): RequestHandler {
  const { registry } = metrics;
  const read = recent(
    async () => (await registry.metrics()) + ((await furtherMetrics?.metrics()) ?? ''),
    0,
    () => performance.now(),
  );
  return async (req, res) => {
    if (!hasBearerToken(settings.metricsToken, req.headers.authorization)) {
      res
        .status(401)
        .set('WWW-Authenticate', 'Bearer')
        .type('text/plain')
        .send('Send the token of SVC_METRICS__TOKEN.\n');
      return;
    }
    res.type(registry.contentType).send(await read());
  };
}

export interface MetricsListener {
  readonly stop: () => Promise<void>;
}

/** Serves `/metrics` on an address of its own. Returns null if none is set. @throws SettingError if it can't listen */
export async function listenForMetrics(deps: ApiDeps): Promise<MetricsListener | null> {
  const listen = deps.settings.metricsListen;
  if (listen === undefined) return null;
  const app = express().disable('x-powered-by');
  app.get('/metrics', metricsRoute(deps));
  app.use((_req, res) => void res.status(404).type('text/plain').send('Only /metrics is here.\n'));
  const server = createServer({ requestTimeout: 10_000 }, app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen('SVC_METRICS__LISTEN', listen, error)));
    server.listen(listen.port, listen.host, resolve);
  });
  deps.log.info({ address: server.address() }, 'the metrics listen');
  return {
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
