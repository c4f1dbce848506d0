import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { queryQueue } from '../leases/index.ts';
import { type FirstLease, insertQueries, isLong, type NewQuery, newRecord, newRow, rowText } from './new-query.ts';
import type { StoredQuery } from './stored-query.ts';

/** Enqueues a query and wakes a worker. */
export async function submitQuery(client: Transaction, q: NewQuery): Promise<StoredQuery> {
  await client.$executeRaw`${Prisma.raw(`/* prepared submit-${q.waits ? 'waiting-' : ''}query */`)}
    WITH q AS (${insertQueries([rowText(newRow(q))])})
    SELECT ${q.waits ? Prisma.sql`NULL` : Prisma.sql`pg_notify('svc_queued', ${queryQueue(isLong(q))})`}`;
  return newRecord(q);
}

/**
 * Stores a query that its worker runs already, as if the worker had claimed it.
 *
 * @returns whether it must be cancelled: its principal was deactivated or its environment deleted before it was stored
 */
export async function storeRunning(client: Transaction, q: NewQuery, lease: FirstLease): Promise<boolean> {
  const rows = await client.$queryRaw<{ mustCancel: boolean }[]>`/* prepared store-running-query */
    WITH q AS (${insertQueries([rowText(newRow(q, lease))])})
    SELECT NOT EXISTS (
      SELECT FROM principals p, environments e
      WHERE p.id = ${q.submitterId}::uuid AND p.active AND p.deleted_at IS NULL
        AND e.id = ${q.environmentId}::uuid AND e.deleted_at IS NULL) AS "mustCancel"`;
  return rows[0]!.mustCancel;
}
