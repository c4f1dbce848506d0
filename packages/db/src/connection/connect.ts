import pg from 'pg';
import { connectionFailure } from './unreachable.ts';

/** Opens one connection without Prisma. @throws DatabaseUnreachableError */
export async function connect(url: string, applicationName: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: 10_000,
  });
  // The next statement reports a lost connection.
  client.on('error', () => {});
  await client.connect().catch((cause) => {
    throw connectionFailure(url, cause);
  });
  return client;
}
