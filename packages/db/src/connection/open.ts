import { PrismaPg } from '@prisma/adapter-pg';
import type { Traces } from '@svc/core/traces';
import pg from 'pg';
import { type Prisma, PrismaClient } from '../generated/client.ts';
import { withDirectStatements } from './direct.ts';
import { type Listen, openListener } from './listen.ts';
import type { Log } from './log.ts';
import { preparedName } from './prepared.ts';
import { connectionFailure } from './unreachable.ts';

/** How to open a database. */
export interface DatabaseOptions {
  readonly url: string;
  readonly log: Log;
  /** Connections kept at most; 10 when left out. One more is used for LISTEN once something listens. */
  readonly poolSize?: number;
  /** A statement running longer is cancelled by the server, in milliseconds; 30,000 when left out, 0 for never. */
  readonly statementTimeoutMs?: number;
  /** A transaction left idle longer is ended by the server, in milliseconds; 60,000 when left out, 0 for never. */
  readonly idleInTransactionTimeoutMs?: number;
  /** Shown in the server's list of connections; `svc` when left out. */
  readonly applicationName?: string;
  /** Told of statements and transactions of work that is traced. */
  readonly traces?: Traces | undefined;
}

/** An open database. Passed in wherever it is needed; there is no global one. */
export interface Database {
  readonly prisma: PrismaClient;
  readonly listen: Listen;
  readonly traces?: Traces | undefined;
  /** Ends every connection, after the statements under way. */
  close(): Promise<void>;
}

/** What an operation needs to run statements: a transaction, or `database.prisma` outside of one. */
export type Transaction = Prisma.TransactionClient;

/**
 * Opens the database and proves that it answers.
 * @throws DatabaseUnreachableError with a sentence that names the server, the reason and the remedy.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, log } = options;
  await prove(url);
  const onError = (error: Error) => log.warn({ err: error }, 'lost a database connection');
  const pool = new pg.Pool({
    connectionString: url,
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: options.applicationName ?? 'svc',
    statement_timeout: options.statementTimeoutMs ?? 30_000,
    idle_in_transaction_session_timeout: options.idleInTransactionTimeoutMs ?? 60_000,
    // What transactions and times rely on, whatever the server's own defaults are.
    options: '-c default_transaction_isolation=read\\ committed -c timezone=UTC',
  });
  pool.on('error', onError);
  const adapter = new PrismaPg(pool, {
    onConnectionError: onError,
    statementNameGenerator: preparedName,
  });
  const client = new PrismaClient({ adapter, errorFormat: 'minimal' });
  const listener = openListener(url, log);
  let closing: Promise<void> | null = null;
  const close = async () => {
    await listener.close();
    await client.$disconnect();
    await pool.end();
  };
  const { traces } = options;
  const prisma = withDirectStatements(client, pool, traces);
  return { prisma, listen: listener.listen, traces, close: () => (closing ??= close()) };
}

// Prisma's own message for a server that is not there names neither server nor remedy.
async function prove(url: string): Promise<void> {
  try {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 10_000,
      application_name: 'svc-start',
    });
    client.on('error', () => {});
    await client.connect();
    await client.end();
  } catch (cause) {
    throw connectionFailure(url, cause);
  }
}
