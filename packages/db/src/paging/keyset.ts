import { Prisma } from '../generated/client.ts';

/** Where a page of a list that is ordered newest first, ties by id, goes on: strictly after this row. */
export interface Position {
  at: Date;
  id: string;
}

export interface PageRequest {
  limit: number;
  after: Position | null;
}

export interface Page<T> {
  items: T[];
  next: Position | null;
}

/** `AND …` for rows after the position: compared as a row, the index is entered exactly there, also among many ties. */
export function before({ after }: PageRequest, time = 'created_at', id = 'id'): Prisma.Sql {
  if (after === null) return Prisma.empty;
  return Prisma.sql`AND (${Prisma.raw(time)}, ${Prisma.raw(id)}) < (${after.at}, ${after.id}::uuid)`;
}

/**
 * Ids of a page's rows and one more, of a table read in parts that share no row: a part is the rows of one value where
 * a filter takes several (`status = ANY (…)` would read and sort all of them), so that each stops after a page of its
 * index. A part is written as its `FROM … WHERE …`.
 */
export function idsOf(page: PageRequest, parts: readonly Prisma.Sql[]): Prisma.Sql {
  const order = Prisma.sql`ORDER BY created_at DESC, id DESC LIMIT ${page.limit + 1}`;
  const reads = parts.map((rows) => Prisma.sql`(SELECT id, created_at ${rows} ${before(page)} ${order})`);
  return Prisma.sql`SELECT id FROM (${Prisma.join(reads, ' UNION ALL ')}) keys ${order}`;
}

/** Turns `limit + 1` selected rows into a page; the extra row only tells that there is a next one. */
export function pageOf<R extends { id: string }, T>(
  rows: readonly R[],
  { limit }: PageRequest,
  record: (row: R) => T,
  at: (row: R) => Date = (row) => (row as unknown as { created_at: Date }).created_at,
): Page<T> {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { items: shown.map(record), next: last === undefined ? null : { at: at(last), id: last.id } };
}
