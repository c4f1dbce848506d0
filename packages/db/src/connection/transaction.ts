import { setTimeout as delay } from 'node:timers/promises';
import type { Database, Transaction } from './open.ts';
import { DATABASE_SPAN } from './spans.ts';
import { errorParts, sqlState } from './sql-state.ts';

export interface TransactionOptions {
  /** Default: the connection's own level, read committed. Setting it costs a round trip. */
  readonly isolation?: 'RepeatableRead' | 'Serializable';
  /** Total attempts if Postgres requests a retry (default: 5). */
  readonly attempts?: number;
}

const TIMEOUT_MS = 30_000;
const POOL_WAIT_MS = 10_000;
const FIRST_PAUSE_MS = 5;

/**
 * Runs `work` in one transaction. If `work` throws, nothing is committed. On a serialization failure or a deadlock,
 * `work` runs again from the start, so it must have no effects outside the database.
 * @throws what `work` throws, or the conflict of the last attempt
 */
export async function inTransaction<T>(
  database: Database,
  work: (transaction: Transaction) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const runAttempt = () => attempt(database, work, options);
  return database.traces === undefined
    ? runAttempt()
    : database.traces.inChildSpan({ name: 'transaction', ...DATABASE_SPAN }, runAttempt);
}

async function attempt<T>(
  database: Database,
  work: (transaction: Transaction) => Promise<T>,
  options: TransactionOptions,
): Promise<T> {
  const { isolation, attempts = 5 } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.prisma.$transaction(work, {
        ...(isolation === undefined ? {} : { isolationLevel: isolation }),
        timeout: TIMEOUT_MS,
        maxWait: POOL_WAIT_MS,
      });
    } catch (error) {
      if (attempt >= attempts || !isConflict(error)) throw error;
      // Random, so that colliding transactions don't collide again.
      await delay(FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random()));
    }
  }
}

/**
 * too_many_connections, cannot_connect_now, query_canceled, lock_not_available, idle_in_transaction_session_timeout.
 */
const OVERLOAD = new Set(['53300', '57P03', '57014', '55P03', '25P03']);

/** Messages of the pool, whose errors have no code. */
const NO_CONNECTION = new Set<unknown>([
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
]);

/** Whether the database is overloaded: the pool got no connection in time, or the server cancelled a slow transaction. */
export function isOverload(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  if (code === 'P2024' || code === 'P2028' || OVERLOAD.has(sqlState(error) ?? '') || isConflict(error)) return true;
  for (const { message } of errorParts(error)) if (NO_CONNECTION.has(message)) return true;
  return false;
}

/** Whether Postgres requests a retry: serialization_failure or deadlock_detected. */
export function isConflict(error: unknown): boolean {
  const state = sqlState(error);
  return state === '40001' || state === '40P01';
}
