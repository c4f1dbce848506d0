import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { announceCancel } from './work.ts';

/** Tables of work that can take long, each with the column of its principal. */
const STOPPED = [
  { table: Prisma.raw('queries'), actsAs: Prisma.raw('submitter_id') },
  { table: Prisma.raw('runs'), actsAs: Prisma.raw('principal_id') },
];

/**
 * Requests cancellation of active queries and runs whose principal was deactivated or deleted, or whose environment was
 * deleted. The workers finish them and write their events, also for queries that wait for a quota slot. Loads have no
 * cancellation: workers stop those of principals that aren't active.
 */
export async function stopWork(
  client: Transaction,
  { of, now }: { of: { principalId: string } | { environmentId: string }; now: Date },
): Promise<void> {
  for (const { table, actsAs: principalColumn } of STOPPED) {
    const theirs =
      'principalId' in of
        ? Prisma.sql`${principalColumn} = ${of.principalId}::uuid`
        : Prisma.sql`environment_id = ${of.environmentId}::uuid`;
    const rows = await client.$queryRaw<{ id: string }[]>`
      UPDATE ${table} SET cancel_requested_at = ${now}, status = CASE status WHEN 'waiting' THEN 'queued' ELSE status END
      WHERE ${theirs} AND ended_at IS NULL AND cancel_requested_at IS NULL
      RETURNING id`;
    for (const { id } of rows) await announceCancel(client, id);
  }
  if ('principalId' in of)
    await client.$executeRaw`
      SELECT pg_notify('svc_cancel', id::text) FROM writes WHERE requested_by = ${of.principalId}::uuid AND status = 'running'`;
}
