// Five characters with a digit (which excludes EPIPE), and not one of Prisma's own codes from P1000 on.
const SQL_STATE = /^(?=.*\d)(?!P[1-9])[0-9A-Z]{5}$/;

/** The error and everything that it wraps: errors of Prisma (model calls and raw statements wrap differently) and of the driver. */
export function* errorParts(error: unknown): Generator<Record<string, unknown>> {
  const seen = new Set<unknown>();
  for (const queue = [error]; queue.length > 0; ) {
    const value = queue.shift();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    const part = value as Record<string, unknown>;
    yield part;
    queue.push(part['cause'], part['meta'], part['driverAdapterError']);
  }
}

const DISK_FULL = '53100';

/** Whether the disk of the database is full. */
export const isDatabaseFull = (error: unknown): boolean => sqlState(error) === DISK_FULL;

/**
 * The SQLSTATE that Postgres reported, such as `23505` for a unique violation, from an error of Prisma or of the driver.
 * Returns null for any other error.
 */
export function sqlState(error: unknown): string | null {
  for (const { code, originalCode } of errorParts(error)) {
    if (typeof originalCode === 'string') return originalCode;
    if (code === 'P2034') return '40001';
    if (typeof code === 'string' && SQL_STATE.test(code)) return code;
  }
  return null;
}
