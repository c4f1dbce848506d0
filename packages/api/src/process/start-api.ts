import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { accessEndpoints } from '@svc/core/access';
import { idSource, pooled } from '@svc/core/ids';
import { secondFactorEndpoints } from '@svc/core/second-factors';
import { cannotListen, type Settings } from '@svc/core/settings';
import { Slots } from '@svc/core/workers';
import { workloadIdentityEndpoints } from '@svc/core/workload-identities';
import { bootstrapAdmin, GrantUses, hashToken, openAuthorizer, openTokenUses, Uses } from '@svc/db/access';
import { headKeys } from '@svc/db/audit';
import { type Database, inTransaction } from '@svc/db/connection';
import { LocalDispatcher } from '@svc/db/queries';
import { sealingKeys } from '@svc/db/secrets';
import { AuditArchive } from '@svc/lake/audit';
import { ResultReader, type Sandbox } from '@svc/lake/queries';
import type { ObjectStore } from '@svc/lake/storage';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { openBrowserSession } from '../access/browser-session.ts';
import { signIn } from '../access/sign-in.ts';
import { catalog } from '../catalog/index.ts';
import { EventHub } from '../events/index.ts';
import {
  type ApiDeps,
  CONNECTION_TIMES,
  createApp,
  createLimiter,
  createMetrics,
  createWaiter,
  Drain,
  deriveKeys,
  limitConnections,
  listenForMetrics,
  messagesOf,
  respondToParseError,
  shareRequestCounts,
} from '../http/index.ts';
import {
  browserSignIn,
  guardedFetch,
  ProviderClients,
  pollDeviceSignIn,
  signInOptions,
  startDeviceSignIn,
} from '../identity-providers/index.ts';
import { sessionRoutes, startSqlEndpoint } from '../postgres/index.ts';
import { ALL_ROUTES } from '../routes.ts';
import { scim } from '../scim/index.ts';
import { completeBrowserSession, completeSignIn } from '../second-factors/index.ts';
import { exchangeToken } from '../workload-identities/exchange.ts';
import { listen } from './listen.ts';

export interface ApiOptions {
  settings: Settings;
  /** 32 bytes in base64. */
  secretsKey: string;
  db: Database;
  store: ObjectStore;
  sandbox: Sandbox;
  log: Logger;
  version: string;
  /** The first administrator's token; null if this server doesn't bootstrap one. */
  bootstrapToken: string | null;
  clock?: () => Date;
  /** Metrics of a worker in the same process, exposed with the server's own. */
  furtherMetrics?: Registry;
  /** Hands queries to a worker in the same process. */
  dispatcher?: LocalDispatcher | undefined;
  checkAnswers?: boolean;
  /** Between signs of life of streams of events. */
  heartbeatMs?: number | undefined;
}

export interface RunningApi {
  /** Such as http://127.0.0.1:8470. */
  url: string;
  /** Where clients of the PostgreSQL protocol connect; null if the endpoint is off. */
  sqlPort: number | null;
  /** The port of SVC_METRICS__LISTEN; null if it isn't set. */
  metricsPort: number | null;
  /** From now on `/readyz` answers 503; everything else continues as before. */
  drain: () => void;
  /** Answers the active requests, then closes. */
  stop: () => Promise<void>;
}

/**
 * Lets the heap double before a full garbage collection. By default V8 collects after a growth of a few megabytes in an
 * idle process, and a single upload exceeds that many times although none of its memory is retained.
 */
const COLLECT_LATER = '--heap-growing-percent=100';

/** Maximum statements about the catalog that run at once; each takes some milliseconds and a process. */
const CATALOG_STATEMENTS = 4;
const DRAIN_MS = 10_000;
const TIMES = { requestTimeout: 0, headersTimeout: 30_000, keepAliveTimeout: 65_000 };

/** Starts the HTTP API: bootstraps the administrator, mounts the routes and listens. */
export async function startApi(options: ApiOptions): Promise<RunningApi> {
  const { db, settings, log } = options;
  setFlagsFromString(COLLECT_LATER);
  const deps = await apiDeps(options);
  if (options.bootstrapToken !== null) {
    const tokenHash = hashToken(options.bootstrapToken);
    await inTransaction(db, (tx) => bootstrapAdmin(tx, { tokenHash, now: deps.clock(), newId: deps.newId }));
  }
  const app = createApp(deps, ALL_ROUTES, {
    publicRoutes: [
      { endpoint: accessEndpoints.signIn, handle: signIn(deps) },
      { endpoint: accessEndpoints.signInOptions, handle: signInOptions(deps) },
      { endpoint: accessEndpoints.startDeviceSignIn, handle: startDeviceSignIn(deps) },
      { endpoint: accessEndpoints.pollDeviceSignIn, handle: pollDeviceSignIn(deps) },
      { endpoint: workloadIdentityEndpoints.exchange, handle: exchangeToken(deps) },
      { endpoint: accessEndpoints.openSession, handle: openBrowserSession(deps) },
      { endpoint: secondFactorEndpoints.completeSignIn, handle: completeSignIn(deps) },
      { endpoint: secondFactorEndpoints.completeSession, handle: completeBrowserSession(deps) },
    ],
    catalog: catalog(deps),
    scim: scim(deps),
    browserSignIn: browserSignIn(deps),
    sessions: sessionRoutes,
  });
  const server = createServer({ ...TIMES, ...messagesOf(app) }, app);
  deps.drain.watch(server);
  limitConnections(server, { ...CONNECTION_TIMES, connections: settings.connections }, log);
  server.on('clientError', respondToParseError(deps.newId));
  const { port, address, family } = await listen(server, settings.listen, log).catch((error: unknown) => {
    throw cannotListen('SVC_LISTEN', settings.listen, error);
  });
  const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  log.info({ url }, 'the API listens');
  const metrics = await listenForMetrics(deps);
  const counts = shareRequestCounts(deps);
  const sql = await startSqlEndpoint(deps, app);
  deps.sqlPort = sql.port;
  return {
    url,
    sqlPort: sql.port,
    metricsPort: metrics?.port ?? null,
    drain() {
      deps.drain.start();
      sql.drain();
    },
    async stop() {
      deps.drain.start();
      await sql.stop();
      await counts.stop();
      await metrics?.stop();
      const deadline = performance.now() + DRAIN_MS;
      await deps.waiter.close();
      await deps.events.close();
      // The server listens until the last response, so that readiness probes learn about the shutdown.
      await deps.drain.idle(DRAIN_MS);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const force = setTimeout(() => server.closeAllConnections(), Math.max(0, deadline - performance.now()));
      await closed;
      clearTimeout(force);
      await Promise.all([deps.tokenUses.settled(), deps.grantUses.settled()]);
      await Promise.all([deps.results.close(), deps.archive.close()]);
    },
  };
}

async function apiDeps(options: ApiOptions): Promise<ApiDeps> {
  const { db, settings, clock = () => new Date(), secretsKey, store, sandbox, log, version } = options;
  const random = pooled((bytes) => new Uint8Array(randomBytes(bytes)));
  const keys = deriveKeys(secretsKey);
  const metrics = createMetrics({ db, clock });
  const { registry } = metrics;
  return {
    db,
    authorize: openAuthorizer(db.prisma),
    store,
    sandbox,
    settings,
    log,
    version,
    clock,
    random,
    results: new ResultReader(store),
    archive: new AuditArchive(store),
    keys,
    sealing: sealingKeys(secretsKey, settings.oldSecretsKeys),
    headKeys: headKeys(secretsKey, settings.oldSecretsKeys),
    metrics,
    furtherMetrics: options.furtherMetrics,
    waiter: await createWaiter(db),
    events: new EventHub({ db, log, clock, registry, key: keys.eventPosition, heartbeatMs: options.heartbeatMs }),
    dispatcher: options.dispatcher ?? new LocalDispatcher(),
    sqlPort: null,
    providers: new ProviderClients({ clock, fetch: guardedFetch() }),
    drain: new Drain(),
    tokenUses: new Uses(openTokenUses(db.prisma), 60_000, (error) =>
      log.warn({ err: error }, 'the use of a token was not recorded'),
    ),
    grantUses: new GrantUses(db.prisma, (error) => log.warn({ err: error }, 'the use of grants was not recorded')),
    limiter: createLimiter(settings.requestsPerMinute, 'This token may'),
    anonymousLimiter: createLimiter(settings.unauthenticatedPerMinute, 'Clients of this network may'),
    catalogSlots: new Slots(CATALOG_STATEMENTS),
    newId: idSource(() => clock().getTime(), random),
    validateResponses: options.checkAnswers ?? false,
  };
}
