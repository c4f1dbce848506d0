// Five characters with a digit (which excludes EPIPE), and not one of Prisma's own codes from P1000 on.
const SQL_STATE = /^(?=.*\d)(?!P[1-9])[0-9A-Z]{5}$/;

/**
 * The SQLSTATE that Postgres reported, such as `23505` for a unique violation, from an error of Prisma (model calls and
 * raw statements wrap it differently) or of the driver. Returns null for any other error.
 */
export function sqlState(error: unknown): string | null {
  const seen = new Set<unknown>();
  for (const queue = [error]; queue.length > 0; ) {
    const value = queue.shift();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    const { code, originalCode, cause, meta, driverAdapterError } = value as Record<string, unknown>;
    if (typeof originalCode === 'string') return originalCode;
    if (code === 'P2034') return '40001';
    if (typeof code === 'string' && SQL_STATE.test(code)) return code;
    queue.push(cause, meta, driverAdapterError);
  }
  return null;
}
