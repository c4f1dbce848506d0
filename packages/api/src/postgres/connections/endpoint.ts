import type { RequestListener } from 'node:http';
import { createServer } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import { cannotListen, type Settings } from '@svc/core/settings';
import type { ApiDeps } from '../../http/deps.ts';
import { listen } from '../../process/listen.ts';
import { Connection } from './connection.ts';
import { Connections } from './connections.ts';
import { ServiceClient } from './service-client.ts';

/** The endpoint for clients of the PostgreSQL protocol. */
export interface SqlEndpoint {
  /** Null if it is off. */
  readonly port: number | null;
  /** From now on connections end when they wait for their clients, and no new ones are accepted. */
  readonly drain: () => void;
  /** Waits a while for the statements that run, and closes every connection. */
  readonly stop: () => Promise<void>;
}

const OFF: SqlEndpoint = { port: null, drain: () => undefined, stop: async () => undefined };
const DRAIN_MS = 5_000;

/** @throws SettingError if the address can't be used, unless nobody chose it */
export async function startSqlEndpoint(deps: ApiDeps, app: RequestListener): Promise<SqlEndpoint> {
  const { settings, log } = deps;
  const address = settings.sqlListen;
  if (address === null) return OFF;
  const connections = new Connections(settings);
  const client = new ServiceClient(app);
  const tls = secureContext(settings);
  const server = createServer({ noDelay: true, pauseOnConnect: true }, (socket) => {
    const connection = new Connection(socket, { deps, client, tls, connections });
    // It reports its own errors; what is left is a defect.
    connection.run().catch((error: unknown) => log.error({ err: error }, 'a PostgreSQL connection failed'));
  });
  // Clients that never sign in don't use up the connections of those that do.
  server.maxConnections = 2 * settings.sqlConnections;
  let port: number;
  try {
    ({ port } = await listen(server, address, log));
  } catch (error) {
    if (!address.byDefault) throw cannotListen('SVC_SQL__LISTEN', address, error);
    log.warn(
      { reason: (error as Error).message },
      `clients of the PostgreSQL protocol can't connect: ${address.host}:${address.port} is not available. Set SVC_SQL__LISTEN to another address`,
    );
    return OFF;
  }
  log.info({ address: `${address.host}:${port}` }, 'clients of the PostgreSQL protocol can connect');
  return {
    port,
    drain: () => connections.drain(),
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      connections.drain();
      await connections.idle(DRAIN_MS);
      connections.closeAll();
      await closed;
    },
  };
}

function secureContext({ sqlTlsCert, sqlTlsKey }: Settings): SecureContext | null {
  if (sqlTlsCert === undefined || sqlTlsKey === undefined) return null;
  return createSecureContext({ cert: sqlTlsCert, key: sqlTlsKey, minVersion: 'TLSv1.2' });
}
