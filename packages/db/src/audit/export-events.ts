import type { AuditEvent } from '@svc/core/audit';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { EVENT, type EventRow, eventRecord, unionBySequence } from './list-events.ts';

const BATCH = 1000;

interface Span {
  since: Date | undefined;
  until: Date;
}

export async function* exportEvents(
  client: Transaction,
  { since = new Date(0), until }: Span,
): AsyncGenerator<AuditEvent> {
  let [at, id] = [since, '00000000-0000-0000-0000-000000000000'];
  for (;;) {
    const order = Prisma.sql`ORDER BY time, id LIMIT ${BATCH}`;
    const part = (condition: Prisma.Sql) => Prisma.sql`
      SELECT ${EVENT} FROM audit_events
      WHERE ${condition} AND (time, id) > (${at}, ${id}::uuid) AND time < ${until} ${order}`;
    const rows = await client.$queryRaw<EventRow[]>`SELECT * FROM ${unionBySequence(part)} ${order}`;
    for (const row of rows) yield eventRecord(row);
    const last = rows.at(-1);
    if (rows.length < BATCH || last === undefined) return;
    [at, id] = [last.time, last.id];
  }
}

/** Counts the exported events, those that belong to other people, and these people (AUDIT-7). */
export async function countEvents(
  client: Transaction,
  { since = new Date(0), until, readerId }: Span & { readerId: string },
): Promise<{ rows: number; others: number; people: number }> {
  const rows = await client.$queryRaw<{ rows: bigint; others: bigint; people: bigint }[]>`
    SELECT count(*) AS rows, count(*) FILTER (WHERE principal_id IS DISTINCT FROM ${readerId}::uuid) AS others,
           count(DISTINCT principal_id) FILTER (WHERE principal_id <> ${readerId}::uuid) AS people
    FROM ${unionBySequence(
      (condition) => Prisma.sql`
        SELECT principal_id FROM audit_events WHERE ${condition} AND time >= ${since} AND time < ${until}`,
    )}`;
  const row = rows[0]!;
  return { rows: Number(row.rows), others: Number(row.others), people: Number(row.people) };
}
