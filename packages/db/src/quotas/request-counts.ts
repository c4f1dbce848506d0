import type { Transaction } from '../connection/index.ts';

export interface RequestCount {
  readonly token_id: string;
  readonly requests: number;
}

/** Tokens per statement. */
const BATCH = 5000;

/**
 * Adds a server's requests of a minute and returns the totals of all servers for the same tokens. Rows are locked in
 * the order of the tokens, across batches too, so that servers don't deadlock.
 */
export async function addRequestCounts(
  client: Transaction,
  { minute, counts }: { minute: number; counts: readonly RequestCount[] },
): Promise<RequestCount[]> {
  const totals: RequestCount[] = [];
  const sorted = counts.toSorted((a, b) => (a.token_id < b.token_id ? -1 : 1));
  for (let start = 0; start < sorted.length; start += BATCH) {
    const batch = sorted.slice(start, start + BATCH);
    const ids = batch.map(({ token_id }) => token_id);
    const requests = batch.map((count) => count.requests);
    totals.push(
      ...(await client.$queryRaw<RequestCount[]>`
        INSERT INTO request_counts (minute, token_id, requests)
        SELECT ${minute}::bigint, c.token_id, c.requests
        FROM unnest(${ids}::uuid[], ${requests}::int[]) c(token_id, requests) ORDER BY c.token_id
        ON CONFLICT (minute, token_id) DO UPDATE SET requests = request_counts.requests + EXCLUDED.requests
        RETURNING token_id, requests`),
    );
  }
  return totals;
}

/** Removes the counts of minutes before this one. */
export async function removeRequestCounts(client: Transaction, before: number): Promise<void> {
  await client.$executeRaw`DELETE FROM request_counts WHERE minute < ${before}::bigint`;
}
