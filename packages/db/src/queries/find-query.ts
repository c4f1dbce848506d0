import { isFinished, WORK_STATUSES, type WorkStatus } from '@svc/core/writes';
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

/** The start of the next page. A query's section depends on its state at `asOf`, when the listing started (QUERY-4). */
export interface QueryPosition {
  asOf: string;
  rank: number;
  at: string;
  id: string;
}

const FINISHED = WORK_STATUSES.filter((status) => isFinished({ status }));
const FINISHED_SHOWN_MS = 24 * 3_600_000;

export interface QueryListFilter {
  environmentId: string;
  submitterId?: string | undefined;
  statuses?: readonly WorkStatus[] | undefined;
  includeFinished: boolean;
}

/**
 * Lists queries in the order of QUERY-3. Each is sorted by its state at the time when the listing started (QUERY-4), so
 * that a query that finishes between two pages is neither shown twice nor skipped.
 */
export async function listQueries(
  client: Transaction,
  { filter, limit, after, now }: { filter: QueryListFilter; limit: number; after: QueryPosition | null; now: Date },
): Promise<{ rows: StoredQuery[]; next: QueryPosition | null }> {
  const asOf = after === null ? now : new Date(after.asOf);
  const sections = sectionsOf(filter, asOf).filter(({ rank }) => after === null || rank >= after.rank);
  if (sections.length === 0) return { rows: [], next: null };
  // Each section reads its own index and stops at the limit.
  const parts = sections.map(
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

/** The sections of the list in order, with the condition that a query met when the listing started. */
function sectionsOf({ statuses, includeFinished }: QueryListFilter, asOf: Date): { rank: number; where: Prisma.Sql }[] {
  const selected = statuses ?? (includeFinished ? ['running', 'queued', ...FINISHED] : ['running', 'queued']);
  const finished = FINISHED.filter((status) => selected.includes(status));
  const finishedAfter = new Date(asOf.getTime() - FINISHED_SHOWN_MS);
  // A query that finished after the listing started stays in its former section.
  const open = Prisma.sql`(q.ended_at IS NULL OR (q.recent AND q.ended_at > ${asOf}))`;
  const sections: { rank: number; where: Prisma.Sql }[] = [];
  if (selected.includes('running')) sections.push({ rank: 0, where: Prisma.sql`${open} AND q.started_at <= ${asOf}` });
  if (selected.includes('queued'))
    sections.push({ rank: 1, where: Prisma.sql`${open} AND (q.started_at IS NULL OR q.started_at > ${asOf})` });
  const over = Prisma.sql`q.recent AND q.ended_at <= ${asOf} AND q.ended_at > ${finishedAfter}`;
  if (finished.length === FINISHED.length) sections.push({ rank: 2, where: over });
  else for (const status of finished) sections.push({ rank: 2, where: Prisma.sql`${over} AND q.status = ${status}` });
  return sections;
}

/** Removes up to `limit` queries that finished before a time from the list's index. Returns how many. */
export async function retireQueries(
  client: Transaction,
  { before: at, limit }: { before: Date; limit: number },
): Promise<number> {
  return client.$executeRaw`
    UPDATE queries SET recent = false WHERE id IN (
      SELECT id FROM queries WHERE recent AND ended_at < ${at} ORDER BY ended_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;
}
