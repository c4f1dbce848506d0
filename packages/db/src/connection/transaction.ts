import { setTimeout as delay } from 'node:timers/promises';
import type { Database, Transaction } from './open.ts';
import { DATABASE_SPAN } from './spans.ts';
import { sqlState } from './sql-state.ts';

/** How a transaction runs. */
export interface TransactionOptions {
  /** Read committed, the connection's own, when left out: naming it costs a round trip. */
  readonly isolation?: 'RepeatableRead' | 'Serializable';
  /** Rolled back when it takes longer, in milliseconds; 30,000 when left out. */
  readonly timeoutMs?: number;
  /** Tries in all when the server asks to try again; 5 when left out. */
  readonly attempts?: number;
  /** In [0, 1): spreads tries that collided. */
  readonly random?: () => number;
}

const POOL_WAIT_MS = 10_000;
const FIRST_PAUSE_MS = 5;

/**
 * Runs `work` in one transaction: all of it is committed, or, when it throws, nothing. Runs it again, from the start,
 * when PostgreSQL reports a serialization failure or a deadlock, so `work` must have no effects outside the database.
 * @throws what `work` throws, or the last conflict after the last attempt.
 */
export async function inTransaction<T>(
  database: Database,
  work: (transaction: Transaction) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const act = () => attempt(database, work, options);
  return database.traces === undefined
    ? act()
    : database.traces.inChildSpan({ name: 'transaction', ...DATABASE_SPAN }, act);
}

async function attempt<T>(
  database: Database,
  work: (transaction: Transaction) => Promise<T>,
  options: TransactionOptions,
): Promise<T> {
  const { isolation, timeoutMs = 30_000, attempts = 5, random = Math.random } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.prisma.$transaction(work, {
        ...(isolation === undefined ? {} : { isolationLevel: isolation }),
        timeout: timeoutMs,
        maxWait: POOL_WAIT_MS,
      });
    } catch (error) {
      if (attempt >= attempts || !isConflict(error)) throw error;
      await delay(FIRST_PAUSE_MS * 2 ** attempt * (0.5 + random()));
    }
  }
}

/** Too many connections, not ready yet, a statement or a lock waited for too long, a transaction that stood still. */
const OVERLOAD = new Set(['53300', '57P03', '57014', '55P03', '25P03']);

/** Whether the database had no time for this: no connection was free, or a transaction was ended for taking too long. */
export function isOverload(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === 'P2024' || code === 'P2028' || OVERLOAD.has(sqlState(error) ?? '') || isConflict(error);
}

/** Whether PostgreSQL asks to run the transaction again: serialization_failure or deadlock_detected. */
export function isConflict(error: unknown): boolean {
  const state = sqlState(error);
  return state === '40001' || state === '40P01';
}
