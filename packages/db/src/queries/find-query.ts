import type { WorkStatus } from '@svc/core/writes';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { before } from '../paging/index.ts';
import { SELECT_QUERY, type StoredQuery } from './stored-query.ts';

export async function findQuery(client: Transaction, id: string): Promise<StoredQuery | null> {
  const rows = await client.$queryRaw<
    StoredQuery[]
  >`/* prepared find-query */ ${SELECT_QUERY} WHERE q.id = ${id}::uuid`;
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
  const places = placesOf(filter, asOf).filter(({ rank }) => after === null || rank >= after.rank);
  if (places.length === 0) return { rows: [], next: null };
  // Each place is read through an index of its own and stops at the limit.
  const parts = places.map(
    ({ rank, where }) => Prisma.sql`(SELECT q.id, q.created_at, ${rank}::int AS rank FROM queries q
      WHERE q.environment_id = ${filter.environmentId}::uuid AND q.created_at <= ${asOf} AND ${where}
        ${filter.submitterId === undefined ? Prisma.empty : Prisma.sql`AND q.submitter_id = ${filter.submitterId}::uuid`}
        ${after?.rank === rank ? before({ limit, after: { at: new Date(after.at), id: after.id } }, 'q.created_at', 'q.id') : Prisma.empty}
      ORDER BY q.created_at DESC, q.id DESC LIMIT ${limit + 1})`,
  );
  const rows = await client.$queryRaw<(StoredQuery & { rank: number })[]>`
    WITH page AS (SELECT * FROM (${Prisma.join(parts, ' UNION ALL ')}) u ORDER BY rank, created_at DESC, id DESC LIMIT ${limit + 1})
    SELECT s.*, page.rank FROM page JOIN LATERAL (${SELECT_QUERY} WHERE q.id = page.id) s ON true
    ORDER BY page.rank, page.created_at DESC, page.id DESC`;
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const next = last && { asOf: asOf.toISOString(), rank: last.rank, at: last.created_at.toISOString(), id: last.id };
  return { rows: page, next: next ?? null };
}

/** The parts of the list in their order, with what puts a query there at the moment the walk began. */
function placesOf({ statuses, includeEnded }: QueryListFilter, asOf: Date): { rank: number; where: Prisma.Sql }[] {
  const wanted = statuses ?? (includeEnded ? ['running', 'queued', ...ENDED] : ['running', 'queued']);
  const ended = ENDED.filter((status) => wanted.includes(status));
  const endedAfter = new Date(asOf.getTime() - ENDED_SHOWN_MS);
  // What has ended since the walk began still stands where it was then.
  const open = Prisma.sql`(q.ended_at IS NULL OR (q.recent AND q.ended_at > ${asOf}))`;
  const places: { rank: number; where: Prisma.Sql }[] = [];
  if (wanted.includes('running')) places.push({ rank: 0, where: Prisma.sql`${open} AND q.started_at <= ${asOf}` });
  if (wanted.includes('queued'))
    places.push({ rank: 1, where: Prisma.sql`${open} AND (q.started_at IS NULL OR q.started_at > ${asOf})` });
  const over = Prisma.sql`q.recent AND q.ended_at <= ${asOf} AND q.ended_at > ${endedAfter}`;
  if (ended.length === ENDED.length) places.push({ rank: 2, where: over });
  else for (const status of ended) places.push({ rank: 2, where: Prisma.sql`${over} AND q.status = ${status}` });
  return places;
}

/** Takes queries out of the lists' index that ended before a time, at most `limit`. Returns how many. */
export async function retireQueries(
  client: Transaction,
  { before: at, limit }: { before: Date; limit: number },
): Promise<number> {
  return client.$executeRaw`
    UPDATE queries SET recent = false WHERE id IN (
      SELECT id FROM queries WHERE recent AND ended_at < ${at} ORDER BY ended_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;
}
