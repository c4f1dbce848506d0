import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { recent } from '@svc/core/recent';
import { cannotListen } from '@svc/core/settings';
import { type Database, isResponding } from '@svc/db/connection';
import { hasBearerToken, measureBacklog } from '@svc/db/metrics';
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

const send = (res: ServerResponse, status: number, text: string, type = 'application/json; charset=utf-8'): void => {
  res.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) }).end(text);
};

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
  const now = () => performance.now();
  const read = recent(() => all.metrics(), 0, now);
  const databaseResponds = recent(() => isResponding(db), MAX_AGE_MS, now);
  const answers: Record<string, (res: ServerResponse, req: IncomingMessage) => Promise<void>> = {
    '/metrics': async (res, req) => {
      if (hasBearerToken(token, req.headers.authorization)) return send(res, 200, await read(), all.contentType);
      res.setHeader('WWW-Authenticate', 'Bearer');
      send(res, 401, 'Send the token of SVC_METRICS__TOKEN.\n', 'text/plain; charset=utf-8');
    },
    '/livez': async (res) => send(res, 200, '{"status":"ok"}'),
    '/readyz': async (res) => {
      if (draining) return send(res, 503, '{"status":"unavailable","cause":"the worker is stopping"}');
      if (await databaseResponds()) send(res, 200, '{"status":"ok"}');
      else send(res, 503, '{"status":"unavailable","cause":"the database is not responding"}');
    },
  };
  const server = createServer({ requestTimeout: 10_000 }, (req, res) => {
    const answer = req.method === 'GET' ? answers[req.url?.split('?')[0] ?? ''] : undefined;
    if (answer === undefined) return send(res, 404, '{"status":"not found"}');
    answer(res, req).catch((error: unknown) => {
      log.error({ err: error }, "couldn't collect the metrics");
      if (!res.headersSent) send(res, 500, '{"status":"failed"}');
    });
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
