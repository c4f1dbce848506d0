import type { IntoMode } from '@svc/core/queries';
import { jsonText, type Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { type StoredQuery, selectQuery } from './stored-query.ts';

export interface NewQuery {
  id: string;
  environmentId: string;
  submitterId: string;
  sql: string;
  into: { namespace: string; table: string } | null;
  mode: IntoMode | null;
  /** Days of inactivity after which the table that it creates expires. */
  expireAfter?: number | null;
  /** Why it will stand without. */
  retentionError?: { detail: string; remedy: string } | null;
  breakGlass: string | null;
  tokenKind: string;
  runId: string | null;
  requestId: string;
  /** The trace that its work goes on with (W3C Trace Context). */
  traceparent?: string | null;
  /** It waits for a place of its environment's quota (`givePlaces`). */
  waits?: boolean;
  now: Date;
}

/** Stores a query for the workers and wakes one. */
export async function submitQuery(client: Transaction, q: NewQuery): Promise<StoredQuery> {
  const rows = await client.$queryRaw<
    StoredQuery[]
  >`${Prisma.raw(`/* prepared submit-${q.waits ? 'waiting-' : ''}query */`)}
    WITH q AS (
      INSERT INTO queries (id, environment_id, submitter_id, status, sql_text, into_namespace, into_table, mode,
        expire_after, retention_error, break_glass, token_kind, run_id, request_id, created_at, traceparent)
      VALUES (${q.id}::uuid, ${q.environmentId}::uuid, ${q.submitterId}::uuid, ${q.waits ? 'waiting' : 'queued'}, ${q.sql},
        ${q.into?.namespace ?? null}, ${q.into?.table ?? null}, ${q.mode}, ${q.expireAfter ?? null},
        ${q.retentionError == null ? null : jsonText(q.retentionError)}::jsonb, ${q.breakGlass}, ${q.tokenKind},
        ${q.runId}::uuid, ${q.requestId}, ${q.now}, ${q.traceparent ?? null})
      RETURNING *),
    announced AS (SELECT ${q.waits ? Prisma.sql`NULL` : Prisma.sql`pg_notify('svc_queued', 'queries')`})
    ${selectQuery('q')}, announced`;
  return rows[0]!;
}
