import type { IntoMode, QueryOrigin, QueryParams } from '@svc/core/queries';
import { jsonText, type Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { queryQueue } from '../leases/index.ts';
import { type ClaimedRow, type QueryClaim, queryClaim, SELECT_CLAIMED } from './claim-query.ts';
import { type StoredQuery, selectQuery } from './stored-query.ts';

export interface NewQuery {
  id: string;
  environmentId: string;
  submitterId: string;
  sql: string;
  /** The values of its parameters (default: it has none). */
  params?: QueryParams | null;
  into: { namespace: string; table: string } | null;
  mode: IntoMode | null;
  /** Days without activity after which the table that the query creates expires. */
  expireAfter?: number | null;
  /** Why the table will not get that retention (RETAIN-10). */
  retentionError?: { detail: string; remedy: string } | null;
  /** Whether a cached result may answer it (default: true). */
  useCache?: boolean;
  /** Whether it only counts the rows that it would change, and a SELECT is only described (default: false). */
  dryRun?: boolean;
  /** How it was submitted (default: through the REST interface). */
  origin?: QueryOrigin | null;
  /** The namespaces in which names without one are looked up, in order. */
  searchPath?: readonly string[] | null;
  breakGlass: string | null;
  tokenKind: string;
  runId: string | null;
  requestId: string;
  /** The trace context (W3C) that the query continues. */
  traceparent?: string | null;
  /** Whether the query waits for a slot of its environment's quota (see `givePlaces`). */
  waits?: boolean;
  now: Date;
}

/** The lease of a query that is stored as claimed. */
interface FirstLease {
  owner: string;
  leaseMs: number;
  /** When the query starts. */
  now: Date;
}

/** A query that writes a table takes time, however little it reads (QUERY-10). */
export const isLong = ({ into }: NewQuery): boolean => into !== null;

const clientOf = (origin: NewQuery['origin']): string | null =>
  origin == null ? null : jsonText({ application: origin.application, address: origin.address });

const insertQuery = (
  q: NewQuery,
  status: 'waiting' | 'queued' | 'running',
  lease: FirstLease | null = null,
) => Prisma.sql`
  INSERT INTO queries (id, environment_id, submitter_id, status, sql_text, params, into_namespace, into_table, mode,
    expire_after, retention_error, break_glass, token_kind, run_id, request_id, created_at, traceparent, use_cache, dry_run,
    source, client, search_path, is_long, started_at, attempts, lease_owner, lease_fence, lease_expires_at)
  VALUES (${q.id}::uuid, ${q.environmentId}::uuid, ${q.submitterId}::uuid, ${status}, ${q.sql},
    ${q.params == null ? null : jsonText(q.params)}::jsonb,
    ${q.into?.namespace ?? null}, ${q.into?.table ?? null}, ${q.mode}, ${q.expireAfter ?? null},
    ${q.retentionError == null ? null : jsonText(q.retentionError)}::jsonb, ${q.breakGlass}, ${q.tokenKind},
    ${q.runId}::uuid, ${q.requestId}, ${q.now}, ${q.traceparent ?? null}, ${q.useCache ?? true}, ${q.dryRun ?? false},
    ${q.origin?.source ?? null}, ${clientOf(q.origin)}::jsonb, ${q.searchPath ? jsonText(q.searchPath) : null}::jsonb, ${isLong(q)},
    ${lease?.now ?? null}, ${lease ? 1 : 0}, ${lease?.owner ?? null}::uuid, ${lease ? 1 : 0},
    ${lease && new Date(lease.now.getTime() + lease.leaseMs)})`;

/** Enqueues a query and wakes a worker. */
export async function submitQuery(client: Transaction, q: NewQuery): Promise<StoredQuery> {
  const rows = await client.$queryRaw<
    StoredQuery[]
  >`${Prisma.raw(`/* prepared submit-${q.waits ? 'waiting-' : ''}query */`)}
    WITH q AS (${insertQuery(q, q.waits ? 'waiting' : 'queued')} RETURNING *),
    announced AS (SELECT ${q.waits ? Prisma.sql`NULL` : Prisma.sql`pg_notify('svc_queued', ${queryQueue(isLong(q))})`})
    ${selectQuery('q')}, announced`;
  return rows[0]!;
}

/**
 * Stores a query as claimed by the worker that reserved a slot for it (see `LocalDispatcher`), and returns it as `claimQuery`
 * would.
 */
export async function submitClaimed(client: Transaction, q: NewQuery, lease: FirstLease): Promise<QueryClaim> {
  const rows = await client.$queryRaw<ClaimedRow[]>`/* prepared submit-claimed-query */
    WITH q AS (${insertQuery(q, 'running', lease)} RETURNING *, false AS "hasMore") ${SELECT_CLAIMED}`;
  return queryClaim(rows[0]!);
}
