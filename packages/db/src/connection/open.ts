import { PrismaPg } from '@prisma/adapter-pg';
import type { Traces } from '@svc/core/traces';
import pg from 'pg';
import { type Prisma, PrismaClient } from '../generated/client.ts';
import { connect } from './connect.ts';
import { withDirectStatements } from './direct.ts';
import { LIVENESS, type Listen, openListener } from './listen.ts';
import type { Log } from './log.ts';
import { preparedName } from './prepared.ts';

/** How long a server may take to report that it cancelled a statement. */
const CANCEL_MS = 5000;

export interface DatabaseOptions {
  readonly url: string;
  readonly log: Log;
  /** Maximum number of connections in the pool (default: 10). LISTEN and `outside` use one more each. */
  readonly poolSize?: number;
  /** The server cancels statements that run longer, in milliseconds (default: 30,000; 0: never). */
  readonly statementTimeoutMs?: number;
  /** The server ends transactions that stay idle longer, in milliseconds (default: 60,000; 0: never). */
  readonly idleInTransactionTimeoutMs?: number;
  /** Shown in the server's list of connections (default: `svc`). */
  readonly applicationName?: string;
  /** Receives spans for the statements and transactions of traced work. */
  readonly traces?: Traces | undefined;
}

/** An open database. It is always passed in; there is no global instance. */
export interface Database {
  readonly prisma: PrismaClient;
  /**
   * Runs raw statements that must be committed while a transaction is open. They have a connection of their own: if they took one
   * of the pool, transactions that hold all connections would wait for each other.
   */
  readonly outside: Transaction;
  readonly listen: Listen;
  readonly traces?: Traces | undefined;
  /** Closes every connection after its active statement. */
  close(): Promise<void>;
}

/** A transaction, or `database.prisma` outside one. */
export type Transaction = Prisma.TransactionClient;

/**
 * Opens the database and checks that it responds.
 * @throws DatabaseUnreachableError with a message that names the server, the reason and the remedy
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, log } = options;
  // Prisma's own message for an unreachable server names neither the server nor a remedy.
  await (await connect(url, 'svc-start')).end();
  const onError = (error: Error) => log.warn({ err: error }, 'lost a database connection');
  const openPool = (max: number) => new pg.Pool({ ...poolOptions(options), max }).on('error', onError);
  const [pool, outside] = [openPool(options.poolSize ?? 10), openPool(1)];
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
    await Promise.all([pool.end(), outside.end()]);
  };
  const { traces } = options;
  const prisma = withDirectStatements(client, pool, traces);
  const others = { outside: withDirectStatements(client, outside, traces), listen: listener.listen, traces };
  return { prisma, ...others, close: () => (closing ??= close()) };
}

const poolOptions = ({ statementTimeoutMs = 30_000, ...options }: DatabaseOptions): pg.PoolConfig => ({
  connectionString: options.url,
  idleTimeoutMillis: 60_000,
  ...LIVENESS,
  application_name: options.applicationName ?? 'svc',
  statement_timeout: statementTimeoutMs,
  // A server whose machine is gone cancels nothing, and the system would wait for minutes.
  ...(statementTimeoutMs > 0 && { query_timeout: statementTimeoutMs + CANCEL_MS }),
  idle_in_transaction_session_timeout: options.idleInTransactionTimeoutMs ?? 60_000,
  // Transactions and timestamps rely on these settings, so don't depend on the server's defaults.
  options: '-c default_transaction_isolation=read\\ committed -c timezone=UTC',
});
