import type { Transaction } from '../connection/index.ts';

/** Sign-in attempts counted for a key in the current window. */
export interface SignInAttempts {
  key: string;
  attempts: number;
  windowEnds: Date;
}

/**
 * Counts a sign-in attempt before it is checked, so that concurrent attempts can't exceed the limit (ACCESS-26). An
 * expired window restarts and then closes at `windowEnds`.
 */
export async function countSignInAttempt(
  client: Transaction,
  { keys, now, windowEnds }: { keys: readonly string[]; now: Date; windowEnds: Date },
): Promise<SignInAttempts[]> {
  // A fixed order prevents deadlocks between attempts.
  const rows = await client.$queryRaw<{ key: string; failures: number; window_ends: Date }[]>`
    INSERT INTO sign_in_throttles (key, failures, window_ends)
    SELECT key, 1, ${windowEnds} FROM unnest(${[...keys].sort()}::text[]) key ORDER BY key
    ON CONFLICT (key) DO UPDATE SET
      failures = CASE WHEN sign_in_throttles.window_ends > ${now} THEN sign_in_throttles.failures + 1 ELSE 1 END,
      window_ends = CASE WHEN sign_in_throttles.window_ends > ${now} THEN sign_in_throttles.window_ends ELSE excluded.window_ends END
    RETURNING key, failures, window_ends`;
  return rows.map((row) => ({ key: row.key, attempts: row.failures, windowEnds: row.window_ends }));
}

/**
 * Corrects the count after an attempt that was not checked or succeeded: takes it back under some keys, and resets
 * others.
 */
export async function correctSignInAttempts(
  client: Transaction,
  { decrement, reset = [] }: { decrement: readonly string[]; reset?: readonly string[] },
): Promise<void> {
  // The same order as in `countSignInAttempt` prevents deadlocks.
  await client.$executeRaw`
    WITH locked AS MATERIALIZED (
      SELECT key FROM sign_in_throttles WHERE key = ANY(${[...decrement, ...reset]}::text[]) ORDER BY key FOR UPDATE),
    forgotten AS (
      DELETE FROM sign_in_throttles t USING locked WHERE t.key = locked.key AND t.key = ANY(${[...reset]}::text[]))
    UPDATE sign_in_throttles t SET failures = failures - 1 FROM locked
    WHERE t.key = locked.key AND t.key = ANY(${[...decrement]}::text[]) AND failures > 0`;
}

/** Whether a successful sign-in under this key (a name at an address) is remembered. */
export async function isKnownSignIn(client: Transaction, { key, now }: { key: string; now: Date }): Promise<boolean> {
  const row = await client.signInThrottle.findUnique({ where: { key } });
  return row !== null && row.window_ends > now;
}

/** Remembers a successful sign-in until `until`. */
export async function rememberSignIn(client: Transaction, { key, until }: { key: string; until: Date }): Promise<void> {
  const row = { failures: 0, window_ends: until };
  await client.signInThrottle.upsert({ where: { key }, create: { key, ...row }, update: row });
}

/** Removes up to `limit` expired counts and remembered sign-ins. @returns how many */
export async function removeOldSignInAttempts(client: Transaction, { now, limit }: { now: Date; limit: number }) {
  return client.$executeRaw`
    DELETE FROM sign_in_throttles WHERE key IN (
      SELECT key FROM sign_in_throttles WHERE window_ends < ${now} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;
}
