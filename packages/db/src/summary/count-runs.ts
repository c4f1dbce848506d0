import type { RunCounts } from '@svc/core/summary';
import type { Transaction } from '../connection/index.ts';

/** Counts the active runs of an environment, and those created since a time that finished, by status. */
export async function countRuns(
  client: Transaction,
  { environmentId, since }: { environmentId: string; since: Date },
): Promise<RunCounts> {
  const rows = await client.$queryRaw<{ status: keyof RunCounts; runs: number }[]>`
    SELECT status, count(*)::int AS runs FROM (
      SELECT status FROM runs WHERE environment_id = ${environmentId}::uuid AND ended_at IS NULL
      UNION ALL
      SELECT status FROM runs
      WHERE environment_id = ${environmentId}::uuid AND ended_at IS NOT NULL AND created_at >= ${since}) counted
    GROUP BY status`;
  const counts: RunCounts = { queued: 0, running: 0, succeeded: 0, failed: 0, cancelled: 0 };
  for (const { status, runs } of rows) counts[status] = runs;
  return counts;
}
