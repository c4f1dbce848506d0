import type { Transaction } from '../connection/index.ts';
import { announceCancel } from '../leases/index.ts';

/** Stops the queries and runs under way in an environment that is deleted; the worker ends them, each with its event. */
export async function stopWorkIn(
  client: Transaction,
  { environmentId, now }: { environmentId: string; now: Date },
): Promise<void> {
  const rows = await client.$queryRaw<{ id: string }[]>`
    WITH stopped_queries AS (
      UPDATE queries SET cancel_requested_at = ${now}
      WHERE environment_id = ${environmentId}::uuid AND status = ANY (ARRAY['queued'::text, 'running'::text])
        AND cancel_requested_at IS NULL RETURNING id
    ), stopped_runs AS (
      UPDATE runs SET cancel_requested_at = ${now}
      WHERE environment_id = ${environmentId}::uuid AND status = ANY (ARRAY['queued'::text, 'running'::text])
        AND cancel_requested_at IS NULL RETURNING id
    )
    SELECT id FROM stopped_queries UNION ALL SELECT id FROM stopped_runs`;
  for (const { id } of rows) await announceCancel(client, id);
}

/** Which of the environments are deleted. */
export async function deletedAmong(client: Transaction, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await client.environment.findMany({
    where: { id: { in: [...ids] }, deleted_at: { not: null } },
    select: { id: true },
  });
  return new Set(rows.map(({ id }) => id));
}
