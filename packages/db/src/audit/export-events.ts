import type { AuditEvent, EventArchive } from '@svc/core/audit';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { requireArchive } from './archives.ts';
import { eventRecord } from './list-events.ts';
import { readEvents } from './read-events.ts';
import { unionBySequence } from './select-events.ts';

const BATCH = 1000;

interface Span {
  since: Date | undefined;
  until: Date;
  archive?: EventArchive | undefined;
}

interface Counted {
  rows: bigint;
  others: bigint;
  people: string[] | null;
  archived: string[] | null;
}

/** Every event of the span, oldest first. */
export async function* exportEvents(client: Transaction, { archive, ...filter }: Span): AsyncGenerator<AuditEvent> {
  for (let after: { at: Date; id: string } | null = null; ; ) {
    const rows = await readEvents(client, { filter, order: 'oldest first', limit: BATCH, after, archive });
    for (const row of rows) yield eventRecord(row);
    const last = rows.at(-1);
    if (rows.length < BATCH || last === undefined) return;
    after = { at: last.time, id: last.id };
  }
}

/** Counts the exported events, those that belong to other people, and these people (AUDIT-7). */
export async function countEvents(
  client: Transaction,
  { since = new Date(0), until, readerId, archive }: Span & { readerId: string },
): Promise<{ rows: number; others: number; people: number }> {
  // One statement, so that events that are archived now aren't counted twice.
  const [row] = await client.$queryRaw<[Counted]>`
    SELECT count(*) AS rows, count(*) FILTER (WHERE principal_id IS DISTINCT FROM ${readerId}::uuid) AS others,
           array_agg(DISTINCT principal_id) FILTER (WHERE principal_id <> ${readerId}::uuid) AS people,
           (SELECT array_agg(metadata_location) FROM audit_archives WHERE until > ${since} AND since < ${until}) AS archived
    FROM ${unionBySequence(
      (condition) => Prisma.sql`
        SELECT principal_id FROM audit_events WHERE ${condition} AND time >= ${since} AND time < ${until}`,
    )}`;
  const total = { rows: Number(row.rows), others: Number(row.others) };
  const people = new Set(row.people);
  for (const location of row.archived ?? []) {
    const found = await requireArchive(archive).count(location, { since, until, readerId });
    total.rows += found.rows;
    total.others += found.others;
    for (const id of found.people) people.add(id);
  }
  return { ...total, people: people.size };
}
