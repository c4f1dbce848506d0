import type { Transaction } from '../connection/index.ts';
import { announceCancel, announceFinished } from '../leases/index.ts';
import { closeTasks } from './tasks.ts';

/**
 * Cancels a run: a queued one finishes immediately, a running one is stopped by its worker. `cancelled` is false if it
 * has finished already; `isFirst` reports whether nobody requested it before.
 */
export async function cancelRun(
  client: Transaction,
  { id, now }: { id: string; now: Date },
): Promise<{ cancelled: boolean; finished: boolean; isFirst: boolean }> {
  const rows = await client.$queryRaw<{ status: string; isFirst: boolean }[]>`
    UPDATE runs SET cancel_requested_at = coalesce(cancel_requested_at, ${now}),
      status = CASE status WHEN 'queued' THEN 'cancelled' ELSE status END,
      ended_at = CASE status WHEN 'queued' THEN ${now}::timestamptz END
    WHERE id = ${id}::uuid AND status IN ('queued', 'running')
    RETURNING status, cancel_requested_at = ${now} AS "isFirst"`;
  const row = rows[0];
  if (row === undefined) return { cancelled: false, finished: false, isFirst: false };
  const finished = row.status === 'cancelled';
  if (finished) {
    await closeTasks(client, { id, outcomes: { running: 'cancelled', queued: 'cancelled' }, now });
    await announceFinished(client, { kind: 'runs', id });
  } else await announceCancel(client, id);
  return { cancelled: true, finished, isFirst: row.isFirst };
}

/** Returns those of the runs for which a cancellation was requested. */
export async function filterCancelledRuns(client: Transaction, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await client.run.findMany({
    where: { id: { in: [...ids] }, cancel_requested_at: { not: null } },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}
