import type { Transaction } from '../connection/index.ts';

/** Failures in the window that is open for a key, and when the window ends. */
export async function readSignInFailures(
  client: Transaction,
  { key, now }: { key: string; now: Date },
): Promise<{ failures: number; windowEnds: Date } | null> {
  const row = await client.signInThrottle.findUnique({ where: { key } });
  return row && row.window_ends > now ? { failures: row.failures, windowEnds: row.window_ends } : null;
}

/** Counts a failure; a window that is over begins anew and ends at `windowEnds`. */
export async function countSignInFailure(
  client: Transaction,
  { key, now, windowEnds }: { key: string; now: Date; windowEnds: Date },
): Promise<void> {
  await client.$executeRaw`
    INSERT INTO sign_in_throttles (key, failures, window_ends) VALUES (${key}, 1, ${windowEnds})
    ON CONFLICT (key) DO UPDATE SET
      failures = CASE WHEN sign_in_throttles.window_ends > ${now} THEN sign_in_throttles.failures + 1 ELSE 1 END,
      window_ends = CASE WHEN sign_in_throttles.window_ends > ${now} THEN sign_in_throttles.window_ends ELSE excluded.window_ends END`;
}

export async function forgetSignInFailures(client: Transaction, key: string): Promise<void> {
  await client.signInThrottle.deleteMany({ where: { key } });
}
