import type { EventType } from '@svc/core/audit';
import type { RecordedChange } from '@svc/core/events';
import type { Transaction } from '../connection/index.ts';

/** A change with its number in the audit log, which is the position of a stream. */
export type NumberedChange = RecordedChange & { sequence: number; environmentId: string | null };

interface Row {
  sequence: bigint;
  type: EventType;
  environment_id: string | null;
  principal_id: string | null;
  id: string | null;
  job: string | null;
  repository: string | null;
  namespace: string | null;
  requested_by: string | null;
  table_namespace: string | null;
  table_name: string | null;
  dropped: boolean | null;
}

/**
 * Reads up to `limit` events after a number of the audit log, in the order in which they were sealed. Numbers are given
 * to committed events only, so that no event appears behind a position that was read. Tables have their present names.
 */
export async function readChanges(
  client: Transaction,
  { after, limit }: { after: number; limit: number },
): Promise<NumberedChange[]> {
  const rows = await client.$queryRaw<Row[]>`
    SELECT e.sequence, e.type, e.environment_id, e.principal_id,
      CASE WHEN e.type LIKE 'RUN\_%' THEN e.detail->>'run_id' WHEN e.type LIKE 'QUERY\_%' THEN e.detail->>'query_id'
        WHEN e.type LIKE 'DEPLOY\_%' THEN e.detail->>'deploy_id' END AS id,
      e.detail->>'job' AS job, e.detail->>'repository' AS repository, e.object->>'namespace' AS namespace,
      r.requested_by, n.path AS table_namespace, t.name AS table_name, t.dropped_at IS NOT NULL AS dropped
    FROM (SELECT * FROM audit_events WHERE sequence > ${BigInt(after)} ORDER BY sequence LIMIT ${limit}) e
    LEFT JOIN runs r ON r.id = CASE WHEN e.type IN ('RUN_STARTED', 'RUN_ENDED') THEN (e.detail->>'run_id')::uuid END
    LEFT JOIN tables t ON t.id = (e.detail->>'table_id')::uuid
    LEFT JOIN namespaces n ON n.id = t.namespace_id
    ORDER BY e.sequence`;
  return rows.map(({ sequence, environment_id: environmentId, table_namespace, table_name, dropped, ...row }) => ({
    ...row,
    sequence: Number(sequence),
    environmentId,
    table:
      table_namespace === null || table_name === null
        ? null
        : { namespace: table_namespace, name: table_name, dropped: dropped === true },
  }));
}

/** The number of the last sealed event; 0 without one. */
export async function lastSequence(client: Transaction): Promise<number> {
  const rows = await client.$queryRaw<{ sequence: bigint }[]>`
    SELECT sequence FROM audit_events WHERE sequence IS NOT NULL ORDER BY sequence DESC LIMIT 1`;
  return Number(rows[0]?.sequence ?? 0);
}

/**
 * The number of the event before the first recent one among the last `limit` events. Events are numbered in the order in which they are
 * committed, so an event can have a higher number than a later one.
 */
export async function sequenceBefore(
  client: Transaction,
  { since, limit }: { since: Date; limit: number },
): Promise<number> {
  const last = await lastSequence(client);
  const [row] = await client.$queryRaw<[{ first: bigint | null }]>`
    SELECT min(sequence) AS first FROM audit_events WHERE sequence > ${BigInt(last - limit)} AND time >= ${since}`;
  return row.first === null ? last : Number(row.first) - 1;
}
