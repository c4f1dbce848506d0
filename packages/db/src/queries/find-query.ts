import type { WorkStatus } from '@svc/core/writes';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { SELECT_QUERY, type StoredQuery } from './stored-query.ts';

export async function findQuery(client: Transaction, id: string): Promise<StoredQuery | null> {
  const rows = await client.$queryRaw<StoredQuery[]>`${SELECT_QUERY} WHERE q.id = ${id}::uuid`;
  return rows[0] ?? null;
}

/** Where the next page begins: the state of a query at `asOf`, the moment the walk began, decides its place. */
export interface QueryPosition {
  asOf: string;
  rank: number;
  at: string;
  id: string;
}

const ENDED: readonly WorkStatus[] = ['succeeded', 'failed', 'cancelled'];
const ENDED_SHOWN_MS = 24 * 3_600_000;

export interface QueryListFilter {
  environmentId: string;
  /** Only this principal's. */
  submitterId?: string | undefined;
  statuses?: readonly WorkStatus[] | undefined;
  includeEnded: boolean;
}

/**
 * Running first, then queued, then ended ones of the last 24 hours, each newest first, ties by id. A query is placed by
 * its state at the moment the walk began, so that one that ends between two pages is neither shown twice nor skipped.
 */
export async function listQueries(
  client: Transaction,
  { filter, limit, after, now }: { filter: QueryListFilter; limit: number; after: QueryPosition | null; now: Date },
): Promise<{ rows: StoredQuery[]; next: QueryPosition | null }> {
  const asOf = after === null ? now : new Date(after.asOf);
  const { statuses, includeEnded, submitterId, environmentId } = filter;
  const shown = statuses ?? (includeEnded ? ['running', 'queued', ...ENDED] : ['running', 'queued']);
  const endedAfter = new Date(asOf.getTime() - ENDED_SHOWN_MS);
  const rows = await client.$queryRaw<(StoredQuery & { rank: number })[]>`
    WITH placed AS (
      SELECT s.*, CASE WHEN s.ended_at <= ${asOf} THEN 2 WHEN s.started_at <= ${asOf} THEN 0 ELSE 1 END AS rank
      FROM (${SELECT_QUERY}
        WHERE q.environment_id = ${environmentId}::uuid AND q.created_at <= ${asOf}
          ${submitterId === undefined ? Prisma.empty : Prisma.sql`AND q.submitter_id = ${submitterId}::uuid`}
          AND (q.ended_at IS NULL OR q.ended_at > ${endedAfter})) s
    )
    SELECT * FROM placed
    WHERE CASE rank WHEN 2 THEN status WHEN 0 THEN 'running' ELSE 'queued' END = ANY(${shown}::text[])
      ${
        after === null
          ? Prisma.empty
          : Prisma.sql`AND (rank > ${after.rank} OR (rank = ${after.rank} AND (created_at < ${new Date(after.at)}
              OR (created_at = ${new Date(after.at)} AND id < ${after.id}::uuid))))`
      }
    ORDER BY rank, created_at DESC, id DESC LIMIT ${limit + 1}`;
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const next = last && { asOf: asOf.toISOString(), rank: last.rank, at: last.created_at.toISOString(), id: last.id };
  return { rows: page, next: next ?? null };
}
