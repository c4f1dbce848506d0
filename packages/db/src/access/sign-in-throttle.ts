import type { Transaction } from '../connection/index.ts';

/** Tries to sign in that a key stands for, in the window that is open. */
export interface SignInTries {
  key: string;
  tries: number;
  windowEnds: Date;
}

/**
 * Counts a try to sign in before it is checked, so that of tries at one moment no more are checked than may be. A window
 * that is over begins anew and ends at `windowEnds`.
 */
export async function takeSignInTry(
  client: Transaction,
  { keys, now, windowEnds }: { keys: readonly string[]; now: Date; windowEnds: Date },
): Promise<SignInTries[]> {
  // In one order, so that two tries never wait for each other.
  const rows = await client.$queryRaw<{ key: string; failures: number; window_ends: Date }[]>`
    INSERT INTO sign_in_throttles (key, failures, window_ends)
    SELECT key, 1, ${windowEnds} FROM unnest(${[...keys].sort()}::text[]) key ORDER BY key
    ON CONFLICT (key) DO UPDATE SET
      failures = CASE WHEN sign_in_throttles.window_ends > ${now} THEN sign_in_throttles.failures + 1 ELSE 1 END,
      window_ends = CASE WHEN sign_in_throttles.window_ends > ${now} THEN sign_in_throttles.window_ends ELSE excluded.window_ends END
    RETURNING key, failures, window_ends`;
  return rows.map((row) => ({ key: row.key, tries: row.failures, windowEnds: row.window_ends }));
}

/** A try that was not checked, or that succeeded, is no failure. */
export async function giveSignInTryBack(client: Transaction, keys: readonly string[]): Promise<void> {
  await client.signInThrottle.updateMany({
    where: { key: { in: [...keys] }, failures: { gt: 0 } },
    data: { failures: { decrement: 1 } },
  });
}

export async function forgetSignInFailures(client: Transaction, keys: readonly string[]): Promise<void> {
  await client.signInThrottle.deleteMany({ where: { key: { in: [...keys] } } });
}

/** Removes counts whose window is over, at most `limit` of them. @returns how many */
export async function removeOldSignInTries(client: Transaction, { now, limit }: { now: Date; limit: number }) {
  return client.$executeRaw`
    DELETE FROM sign_in_throttles WHERE key IN (
      SELECT key FROM sign_in_throttles WHERE window_ends < ${now} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;
}
