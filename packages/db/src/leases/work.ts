import { cancelled, type Failure } from '@svc/core/errors';
import { jsonText, type Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { expiriesAt } from './expiries-at.ts';

/** Tables whose rows are units of work. A worker claims a row with a lease and a fence, and finishes it once. */
export const WORK_KINDS = ['queries', 'writes', 'maintenance', 'deploys', 'runs'] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

const TABLE = Object.fromEntries(WORK_KINDS.map((kind) => [kind, Prisma.raw(kind)])) as Record<WorkKind, Prisma.Sql>;

/** A claimed row. A worker whose fence differs from the row's can't finish it. */
export interface Claim {
  id: string;
  fence: bigint;
  /** Trace context of the request that created the work. */
  traceparent?: string | null;
  /** Whether more work of this kind waited at the time of the claim. Work that arrives later is announced. */
  hasMore?: boolean;
}

/**
 * What a worker polls separately: each kind of work, and queries in two lanes, so that short ones don't wait for long ones
 * (QUERY-10).
 */
export const WORK_QUEUES = ['long-queries', ...WORK_KINDS] as const;
export type WorkQueue = (typeof WORK_QUEUES)[number];

/** The queue of a query. */
export const queryQueue = (isLong: boolean): WorkQueue => (isLong ? 'long-queries' : 'queries');

export const kindOf = (queue: WorkQueue): WorkKind => (queue === 'long-queries' ? 'queries' : queue);

/** Wakes the workers when the transaction commits. */
export async function announceWork(client: Transaction, kind: WorkKind): Promise<void> {
  const queues = WORK_QUEUES.filter((queue) => kindOf(queue) === kind);
  await client.$executeRaw`SELECT pg_notify('svc_queued', queue) FROM unnest(${queues}::text[]) queue`;
}

/**
 * Wakes clients that wait for this work to finish. A finished deploy or run also wakes the scheduler, because a waiting
 * start may be next.
 */
export async function announceFinished(
  client: Transaction,
  { kind, id }: { kind: WorkKind; id: string },
): Promise<void> {
  if (kind === 'deploys' || kind === 'runs')
    await client.$executeRaw`SELECT pg_notify('svc_ended', ${id}), pg_notify('svc_starts', '')`;
  else await client.$executeRaw`SELECT pg_notify('svc_ended', ${id})`;
}

/** Reports a change of a run's tasks or a new deploy, which the audit log doesn't contain, to the streams of events. */
export async function announceProgress(
  client: Transaction,
  { kind, id }: { kind: 'runs' | 'deploys'; id: string },
): Promise<void> {
  await client.$executeRaw`SELECT pg_notify('svc_progress', ${`${kind} ${id}`})`;
}

/** Wakes the scheduler when the transaction commits: a start is ready, or the next due time changed. */
export async function announceSchedules(client: Transaction): Promise<void> {
  await client.$executeRaw`SELECT pg_notify('svc_starts', '')`;
}

/** Notifies the worker that runs this work to check for cancellation. */
export async function announceCancel(client: Transaction, id: string): Promise<void> {
  await client.$executeRaw`SELECT pg_notify('svc_cancel', ${id})`;
}

interface ClaimRequest {
  kind: WorkKind;
  owner: string;
  now: Date;
  leaseMs: number;
}

/**
 * Claims the row that the expression `id` selects and locks. The caller appends `RETURNING`, in which `hasMoreSql` says whether
 * more work waits: that saves the worker an empty claim.
 */
export const claimSql = ({ kind, owner, now, leaseMs }: ClaimRequest, id: Prisma.Sql): Prisma.Sql => Prisma.sql`
    UPDATE ${TABLE[kind]} SET status = 'running', started_at = coalesce(started_at, ${now}), attempts = attempts + 1,
      lease_owner = ${owner}::uuid, lease_fence = lease_fence + 1, lease_expires_at = ${new Date(now.getTime() + leaseMs)}
    WHERE id = ${id}`;

/** @param among a further condition on the table `o` of waiting rows */
export const hasMoreSql = (kind: WorkKind, among: Prisma.Sql = Prisma.empty): Prisma.Sql =>
  Prisma.sql`EXISTS (SELECT 1 FROM ${TABLE[kind]} o WHERE o.status = 'queued' AND o.id <> ${TABLE[kind]}.id ${among})`;

const oldestSql = (kind: WorkKind): Prisma.Sql =>
  Prisma.sql`(SELECT id FROM ${TABLE[kind]} WHERE status = 'queued' ORDER BY created_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)`;

/** Claims the longest waiting row, or returns null. Two workers never claim the same one. */
export async function claimWork(client: Transaction, request: ClaimRequest): Promise<Claim | null> {
  const rows = await client.$queryRaw<
    { id: string; lease_fence: bigint; traceparent: string | null; hasMore: boolean }[]
  >`${Prisma.raw(`/* prepared claim-${request.kind} */`)} ${claimSql(request, oldestSql(request.kind))}
    RETURNING id, lease_fence, traceparent, ${hasMoreSql(request.kind)} AS "hasMore"`;
  const row = rows[0];
  return row === undefined
    ? null
    : { id: row.id, fence: row.lease_fence, traceparent: row.traceparent, hasMore: row.hasMore };
}

/** Renews the leases that the owner still holds and returns their ids. */
export async function renewLeases(
  client: Transaction,
  {
    kind,
    owner,
    ids,
    now,
    leaseMs,
  }: { kind: WorkKind; owner: string; ids: readonly string[]; now: Date; leaseMs: number },
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await client.$queryRaw<{ id: string }[]>`
    UPDATE ${TABLE[kind]} SET lease_expires_at = ${new Date(now.getTime() + leaseMs)}
    WHERE id = ANY(${ids}::uuid[]) AND lease_owner = ${owner}::uuid AND status = 'running' RETURNING id`;
  return rows.map(({ id }) => id);
}

/** Work whose worker was lost is retried once only: the work itself may have crashed the worker (RUN-6). */
const MAX_ATTEMPTS = 2;

/** The failure of work that hit an internal error; a retry would hit it again. */
const INTERNAL_ERROR: Failure = {
  code: 'worker-lost',
  detail: 'The worker failed with an unexpected error. Unfinished changes were discarded, and the work is not retried.',
  remedy: 'The operator finds the error in the log of the worker under the id of this work.',
};

const WORKER_LOST: Failure = {
  code: 'worker-lost',
  detail: 'The worker stopped unexpectedly twice. Nothing was changed.',
  remedy: 'Start it again. If it fails again, increase the memory of the worker or reduce the work.',
};

/**
 * Whether a row that isn't retried was cancelled, and not lost: somebody had requested it. Work whose principal was deactivated
 * is also stopped this way, but a run then fails.
 */
const CANCELLED: Partial<Record<WorkKind, { isRequested: Prisma.Sql; error: Failure }>> = {
  queries: {
    isRequested: Prisma.sql`cancel_requested_at IS NOT NULL`,
    error: cancelled('query'),
  },
  runs: {
    isRequested: Prisma.sql`cancel_requested_at IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM principals p WHERE p.id = w.principal_id AND NOT p.active)`,
    error: cancelled('run'),
  },
};

interface RescuedWork {
  readonly requeued: string[];
  readonly failed: string[];
  readonly cancelled: string[];
}

/**
 * Rescues up to `limit` rows with expired leases: returns them to the queue, or after too many attempts cancels them if that was
 * requested, and otherwise fails them. A retry repeats nothing, because a unit of work commits its changes together with its
 * completion. Leases from before the clock was set back are shortened: their work would otherwise stay with lost workers for as long
 * as the clock was wrong.
 */
export async function rescueExpiredLeases(
  client: Transaction,
  { kind, now, limit }: { kind: WorkKind; now: Date; limit: number },
): Promise<RescuedWork> {
  const { isRequested, error } = CANCELLED[kind] ?? { isRequested: Prisma.sql`false`, error: WORKER_LOST };
  const { longest, furthest } = expiriesAt(now);
  const rows = await client.$queryRaw<{ id: string; status: string }[]>`
    WITH shortened AS (
      UPDATE ${TABLE[kind]} SET lease_expires_at = ${longest} WHERE status = 'running' AND lease_expires_at > ${furthest})
    UPDATE ${TABLE[kind]} w SET
      status = CASE WHEN attempts < ${MAX_ATTEMPTS} THEN 'queued' WHEN ${isRequested} THEN 'cancelled' ELSE 'failed' END,
      error = CASE WHEN attempts < ${MAX_ATTEMPTS} THEN error WHEN ${isRequested} THEN ${jsonText(error)}::jsonb ELSE coalesce(error, ${jsonText(WORKER_LOST)}::jsonb) END,
      ended_at = CASE WHEN attempts < ${MAX_ATTEMPTS} THEN NULL ELSE ${now}::timestamptz END,
      lease_owner = NULL, lease_expires_at = NULL, lease_fence = lease_fence + 1
    WHERE id IN (SELECT id FROM ${TABLE[kind]} WHERE status = 'running' AND lease_expires_at <= ${now}
                 ORDER BY lease_expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING id, status`;
  const of = (status: string) => rows.filter((row) => row.status === status).map(({ id }) => id);
  const rescued = { requeued: of('queued'), failed: of('failed'), cancelled: of('cancelled') };
  if (rescued.requeued.length > 0) await announceWork(client, kind);
  for (const id of [...rescued.failed, ...rescued.cancelled]) await announceFinished(client, { kind, id });
  return rescued;
}

/**
 * Expires the lease and uses up the retries of work that failed by its own doing (RUN-6); `rescueExpiredLeases` then fails it.
 */
export async function forbidRetry(
  client: Transaction,
  { kind, claim, now, error = INTERNAL_ERROR }: { kind: WorkKind; claim: Claim; now: Date; error?: Failure },
): Promise<void> {
  await client.$executeRaw`
    UPDATE ${TABLE[kind]} SET attempts = ${MAX_ATTEMPTS}, error = ${jsonText(error)}::jsonb, lease_expires_at = ${now}
    WHERE id = ${claim.id}::uuid AND lease_fence = ${claim.fence} AND status = 'running'`;
}

/** Returns claimed work to the queue when a worker shuts down gracefully. */
export async function releaseWork(
  client: Transaction,
  { kind, claim }: { kind: WorkKind; claim: Claim },
): Promise<void> {
  const changed = await client.$executeRaw`
    UPDATE ${TABLE[kind]} SET status = 'queued', attempts = attempts - 1, lease_owner = NULL, lease_expires_at = NULL
    WHERE id = ${claim.id}::uuid AND lease_fence = ${claim.fence} AND status = 'running'`;
  if (changed > 0) await announceWork(client, kind);
}

/** Another worker holds the lease now, so this worker's result must not count. */
export class LeaseLostError extends Error {
  constructor(claim: Claim) {
    super(`the lease of ${claim.id} was lost`);
    this.name = 'LeaseLostError';
  }
}

/** Locks the claimed row in the transaction that finishes it. @throws LeaseLostError */
export async function requireLease(
  client: Transaction,
  { kind, claim }: { kind: WorkKind; claim: Claim },
): Promise<void> {
  const rows = await client.$queryRaw<{ id: string }[]>`
    SELECT id FROM ${TABLE[kind]} WHERE id = ${claim.id}::uuid AND lease_fence = ${claim.fence} AND status = 'running' FOR UPDATE`;
  if (rows.length === 0) throw new LeaseLostError(claim);
}
