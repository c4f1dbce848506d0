import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { recent } from '@svc/core/recent';
import { cannotListen } from '@svc/core/settings';
import { type Database, isResponding } from '@svc/db/connection';
import { answerScrapes, measureBacklog, type ScrapeResponse } from '@svc/db/metrics';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { WorkMetrics } from './work-metrics.ts';

export interface ServedMetrics {
  /** For example http://127.0.0.1:9464. */
  url: string;
  /** From now on `/readyz` returns 503. */
  drain: () => void;
  stop: () => Promise<void>;
}

const send = (res: ServerResponse, { status, headers, text }: ScrapeResponse): void => {
  res.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(text) }).end(text);
};

const json = (status: number, content: object): ScrapeResponse => ({
  status,
  headers: { 'Content-Type': 'application/json; charset=utf-8' },
  text: JSON.stringify(content),
});

/** How old the result of a check of the database may be, in milliseconds. */
const MAX_AGE_MS = 100;

/**
 * Serves the metrics and the health of a worker over HTTP to anyone who can reach the address, and has the token if there is one for `/metrics`: `/metrics`, `/livez` and
 * `/readyz`, which checks the database.
 * @throws SettingError if it can't listen on the address
 */
export async function serveMetrics(options: {
  listen: { host: string; port: number };
  /** Required by `/metrics`; if undefined, it needs none. */
  token?: string | undefined;
  metrics: Pick<WorkMetrics, 'registry'>;
  db: Database;
  log: Logger;
  clock: () => Date;
}): Promise<ServedMetrics> {
  const { listen, token, metrics, db, log, clock } = options;
  const ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  measureBacklog(ofProcess, { db, clock });
  const all = Registry.merge([ofProcess, metrics.registry]);
  let draining = false;
  const scrape = answerScrapes({ token, contentType: all.contentType, collect: () => all.metrics() });
  const databaseResponds = recent(
    () => isResponding(db),
    MAX_AGE_MS,
    () => performance.now(),
  );
  const answers: Record<string, (authorization: string | undefined) => Promise<ScrapeResponse>> = {
    '/metrics': scrape,
    '/livez': async () => json(200, { status: 'ok' }),
    '/readyz': async () => {
      if (draining) return json(503, { status: 'unavailable', cause: 'the worker is stopping' });
      if (await databaseResponds()) return json(200, { status: 'ok' });
      return json(503, { status: 'unavailable', cause: 'the database is not responding' });
    },
  };
  const server = createServer({ requestTimeout: 10_000 }, (req, res) => {
    const answer = req.method === 'GET' ? answers[req.url?.split('?')[0] ?? ''] : undefined;
    if (answer === undefined) return send(res, json(404, { status: 'not found' }));
    answer(req.headers.authorization).then(
      (response) => send(res, response),
      (error: unknown) => {
        log.error({ err: error }, "couldn't collect the metrics");
        send(res, json(500, { status: 'failed' }));
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen('SVC_WORKER__METRICS_LISTEN', listen, error)));
    server.listen(listen.port, listen.host, resolve);
  });
  const { port, address, family } = server.address() as AddressInfo;
  const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  log.info({ url }, 'the worker serves its metrics');
  return {
    url,
    drain: () => {
      draining = true;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
