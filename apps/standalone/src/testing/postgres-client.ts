import pg from 'pg';
import { type TestService, TOKEN } from './test-service.ts';

/** Settings with which a service lets PostgreSQL clients connect. */
export const SQL_ON = { SVC_SQL__LISTEN: '127.0.0.1:0' };

export interface ClientOptions {
  user?: string;
  password?: string;
  database?: string;
  application_name?: string;
  options?: string;
}

/** Connects with node-postgres, by default as the administrator to `dev`. The caller must end it. */
export async function connectPostgres(service: TestService, options: ClientOptions = {}): Promise<pg.Client> {
  const client = new pg.Client({
    ...{ host: '127.0.0.1', port: service.sqlPort!, user: 'admin', password: TOKEN, database: 'dev' },
    ...options,
  });
  // A server that ends the connection is reported by the next query.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Runs work with a connection, and ends it. */
export async function withPostgres<T>(
  service: TestService,
  work: (client: pg.Client) => Promise<T>,
  options: ClientOptions = {},
): Promise<T> {
  const client = await connectPostgres(service, options);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The fields of the error that a promise rejects with. */
export async function errorOf(promise: Promise<unknown>): Promise<Partial<pg.DatabaseError>> {
  return promise.then(
    () => {
      throw new Error('expected an error');
    },
    (error: pg.DatabaseError) => error,
  );
}
