import { Prisma } from '../generated/client.ts';

/**
 * The last row of a page in a list ordered newest first, ties by id. The next page starts strictly after it (HTTP-8).
 */
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

/** `AND …` for rows after the position. A row comparison enters the index exactly there, even among many ties. */
export function before({ after }: PageRequest, time = 'created_at', id = 'id'): Prisma.Sql {
  if (after === null) return Prisma.empty;
  return Prisma.sql`AND (${Prisma.raw(time)}, ${Prisma.raw(id)}) < (${after.at}, ${after.id}::uuid)`;
}

/**
 * Selects the ids of a page's rows and of one more. The table is read in disjoint parts, one per value of a filter, so
 * that each part stops after a page of its index; `status = ANY (…)` would read and sort all matching rows. Write a
 * part as its `FROM … WHERE …`.
 */
export function idsOf(page: PageRequest, parts: readonly Prisma.Sql[]): Prisma.Sql {
  const order = Prisma.sql`ORDER BY created_at DESC, id DESC LIMIT ${page.limit + 1}`;
  const reads = parts.map((rows) => Prisma.sql`(SELECT id, created_at ${rows} ${before(page)} ${order})`);
  return Prisma.sql`SELECT id FROM (${Prisma.join(reads, ' UNION ALL ')}) keys ${order}`;
}

/** Converts `limit + 1` selected rows into a page. The extra row only shows that there is a next page. */
export function pageOf<R extends { id: string }, T>(
  rows: readonly R[],
  { limit }: PageRequest,
  record: (row: R) => T,
  at: (row: R) => Date = (row) => (row as unknown as { created_at: Date }).created_at,
): Page<T> {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { items: page.map(record), next: last === undefined ? null : { at: at(last), id: last.id } };
}
