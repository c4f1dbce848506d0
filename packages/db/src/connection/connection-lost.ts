import { errorParts, sqlState } from './sql-state.ts';

/** admin_shutdown, crash_shutdown, and read_only_sql_transaction: a standby that isn't the primary yet. */
const STATES = new Set(['57P01', '57P02', '25006']);
/** A code of Prisma, kinds of Prisma's adapter, and messages of the driver, whose errors have no code. */
const SIGNS = new Set<unknown>([
  'P1017',
  'ConnectionClosed',
  'SocketTimeout',
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
  'Query read timeout',
]);

/**
 * Whether the connection to the database was lost, such as when a standby takes over. Whether the transaction was committed
 * is then unknown.
 */
export function isConnectionLost(error: unknown): boolean {
  if (STATES.has(sqlState(error) ?? '')) return true;
  for (const { code, kind, message, syscall } of errorParts(error)) {
    if (SIGNS.has(code) || SIGNS.has(kind) || SIGNS.has(message)) return true;
    // Of a socket. A client that disconnects while it sends causes an ECONNRESET without a system call.
    if ((code === 'ECONNRESET' && syscall === 'read') || (code === 'EPIPE' && syscall === 'write')) return true;
  }
  return false;
}
