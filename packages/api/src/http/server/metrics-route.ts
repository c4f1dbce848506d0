import { createServer } from 'node:http';
import { cannotListen } from '@svc/core/settings';
import { answerScrapes } from '@svc/db/metrics';
import type { RequestHandler } from 'express';
import express from 'express';
import { listen } from '../../process/listen.ts';
import type { ApiDeps } from '../deps.ts';

/** The metrics of this server, and of a worker in the same process. Concurrent scrapes share one response. */
export function metricsRoute({ metrics, furtherMetrics, settings }: ApiDeps): RequestHandler {
  const { registry } = metrics;
  const scrape = answerScrapes({
    token: settings.metricsToken,
    contentType: registry.contentType,
    collect: async () => (await registry.metrics()) + ((await furtherMetrics?.metrics()) ?? ''),
  });
  return async (req, res) => {
    const { status, headers, text } = await scrape(req.headers.authorization);
    res.status(status).set(headers).send(text);
  };
}

export interface MetricsListener {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/** Serves `/metrics` on an address of its own. Returns null if none is set. @throws SettingError if it can't listen */
export async function listenForMetrics(deps: ApiDeps): Promise<MetricsListener | null> {
  const { metricsListen } = deps.settings;
  if (metricsListen === undefined) return null;
  const app = express().disable('x-powered-by');
  app.get('/metrics', metricsRoute(deps));
  app.use((_req, res) => void res.status(404).type('text/plain').send('Only /metrics is here.\n'));
  const server = createServer({ requestTimeout: 10_000 }, app);
  const address = await listen(server, metricsListen, deps.log).catch((error: unknown) => {
    throw cannotListen('SVC_METRICS__LISTEN', metricsListen, error);
  });
  deps.log.info({ address }, 'the metrics listen');
  return {
    port: address.port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
