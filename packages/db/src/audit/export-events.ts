import type { AuditEvent, EventArchive } from '@svc/core/audit';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { listArchives, requireArchive } from './archives.ts';
import { eventRecord } from './list-events.ts';
import { readEvents } from './read-events.ts';
import { unionBySequence } from './select-events.ts';

const BATCH = 1000;

interface Span {
  since: Date | undefined;
  until: Date;
  archive?: EventArchive | undefined;
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
  const [row] = await client.$queryRaw<[{ rows: bigint; others: bigint; people: string[] | null }]>`
    SELECT count(*) AS rows, count(*) FILTER (WHERE principal_id IS DISTINCT FROM ${readerId}::uuid) AS others,
           array_agg(DISTINCT principal_id) FILTER (WHERE principal_id <> ${readerId}::uuid) AS people
    FROM ${unionBySequence(
      (condition) => Prisma.sql`
        SELECT principal_id FROM audit_events WHERE ${condition} AND time >= ${since} AND time < ${until}`,
    )}`;
  const total = { rows: Number(row.rows), others: Number(row.others) };
  const people = new Set(row.people);
  for (const part of await listArchives(client)) {
    if (part.until <= since || part.since >= until) continue;
    const found = await requireArchive(archive).count(part.metadata_location, { since, until, readerId });
    total.rows += found.rows;
    total.others += found.others;
    for (const id of found.people) people.add(id);
  }
  return { ...total, people: people.size };
}
