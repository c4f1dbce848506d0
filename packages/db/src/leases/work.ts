import type { Failure } from '@svc/core/errors';
import { jsonText, type Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';

/** The tables whose rows are pieces of work: claimed with a lease and a fencing number, ended once. */
export type WorkKind = 'queries' | 'writes' | 'maintenance' | 'deploys' | 'runs';

const TABLE: Record<WorkKind, Prisma.Sql> = {
  queries: Prisma.raw('queries'),
  writes: Prisma.raw('writes'),
  maintenance: Prisma.raw('maintenance'),
  deploys: Prisma.raw('deploys'),
  runs: Prisma.raw('runs'),
};

/** A claimed piece of work. Whoever holds another fence than the row's can finish nothing. */
export interface Claim {
  id: string;
  fence: bigint;
  /** The trace of the request that made the work, where it was traced. */
  traceparent?: string | null;
  /** More of its kind waited at that moment; what has come since is announced. */
  more?: boolean;
}

/** Wakes the workers once the transaction commits. */
export async function announceWork(client: Transaction, kind: WorkKind): Promise<void> {
  await client.$executeRaw`SELECT pg_notify('svc_queued', ${kind})`;
}

/** Wakes who waits for the end of a piece of work; that of a deploy or run may let a waiting start begin. */
export async function announceEnd(client: Transaction, { kind, id }: { kind: WorkKind; id: string }): Promise<void> {
  if (kind === 'deploys' || kind === 'runs')
    await client.$executeRaw`SELECT pg_notify('svc_ended', ${id}), pg_notify('svc_starts', '')`;
  else await client.$executeRaw`SELECT pg_notify('svc_ended', ${id})`;
}

/** Wakes the scheduler once the transaction commits: there is a start to begin, or another time is the next one. */
export async function announceSchedules(client: Transaction): Promise<void> {
  await client.$executeRaw`SELECT pg_notify('svc_starts', '')`;
}

/** Tells the worker that holds the piece of work to look whether it was cancelled. */
export async function announceCancel(client: Transaction, id: string): Promise<void> {
  await client.$executeRaw`SELECT pg_notify('svc_cancel', ${id})`;
}

interface Taking {
  kind: WorkKind;
  owner: string;
  now: Date;
  leaseMs: number;
}

/** The statement that claims the longest waiting piece of work, but for its RETURNING. */
export const takeLongestWaiting = ({ kind, owner, now, leaseMs }: Taking): Prisma.Sql => Prisma.sql`
    UPDATE ${TABLE[kind]} SET status = 'running', started_at = coalesce(started_at, ${now}), attempts = attempts + 1,
      lease_owner = ${owner}::uuid, lease_fence = lease_fence + 1, lease_expires_at = ${new Date(now.getTime() + leaseMs)}
    WHERE id = (SELECT id FROM ${TABLE[kind]} WHERE status = 'queued' ORDER BY created_at, id
                LIMIT 1 FOR UPDATE SKIP LOCKED)`;

/** In `RETURNING` of `takeLongestWaiting`: whether others wait as well, so that nobody looks again in vain. */
export const moreWaits = (kind: WorkKind): Prisma.Sql =>
  Prisma.sql`EXISTS (SELECT 1 FROM ${TABLE[kind]} o WHERE o.status = 'queued' AND o.id <> ${TABLE[kind]}.id)`;

/** Claims the longest waiting piece of work, or null. Two workers never get the same one. */
export async function claimWork(client: Transaction, taking: Taking): Promise<Claim | null> {
  const rows = await client.$queryRaw<
    { id: string; lease_fence: bigint; traceparent: string | null; more: boolean }[]
  >`${Prisma.raw(`/* prepared claim-${taking.kind} */`)} ${takeLongestWaiting(taking)}
    RETURNING id, lease_fence, traceparent, ${moreWaits(taking.kind)} AS more`;
  const row = rows[0];
  return row === undefined
    ? null
    : { id: row.id, fence: row.lease_fence, traceparent: row.traceparent, more: row.more };
}

/** Prolongs the leases that the owner still holds; returns the ids of those. */
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

/** Work that was running when its lease was lost is retried once: it may be what ended its worker. */
const MAX_ATTEMPTS = 2;

/** Of work that failed by an error of the program, which a second attempt would meet again. */
const FAILED_BY_ITSELF: Failure = {
  code: 'worker-lost',
  detail:
    'The worker failed on it with an unexpected error. Its unfinished changes were discarded, and it is not retried.',
  remedy: 'The operator finds the error in the log of the worker, under the id of this work.',
};

const LOST: Failure = {
  code: 'worker-lost',
  detail: 'The worker stopped in the middle twice. Nothing was changed by it.',
  remedy: 'Start it again; if it happens again, give the worker more memory or make the work smaller.',
};

/**
 * Puts work whose lease is over back into the queue (or ends it after too many tries), at most `limit` rows. The change
 * of a piece of work commits together with its end, so that beginning anew does nothing twice.
 */
export async function reapLeases(
  client: Transaction,
  { kind, now, limit }: { kind: WorkKind; now: Date; limit: number },
): Promise<{ requeued: string[]; failed: string[] }> {
  const rows = await client.$queryRaw<{ id: string; status: string }[]>`
    UPDATE ${TABLE[kind]} w SET
      status = CASE WHEN attempts < ${MAX_ATTEMPTS} THEN 'queued' ELSE 'failed' END,
      error = CASE WHEN attempts < ${MAX_ATTEMPTS} THEN error ELSE coalesce(error, ${jsonText(LOST)}::jsonb) END,
      ended_at = CASE WHEN attempts < ${MAX_ATTEMPTS} THEN NULL ELSE ${now}::timestamptz END,
      lease_owner = NULL, lease_expires_at = NULL, lease_fence = lease_fence + 1
    WHERE id IN (SELECT id FROM ${TABLE[kind]} WHERE status = 'running' AND lease_expires_at <= ${now}
                 ORDER BY lease_expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING id, status`;
  const of = (status: string) => rows.filter((row) => row.status === status).map(({ id }) => id);
  const [requeued, failed] = [of('queued'), of('failed')];
  if (requeued.length > 0) await announceWork(client, kind);
  for (const id of failed) await announceEnd(client, { kind, id });
  return { requeued, failed };
}

/** Ends the lease and the retries of a claimed piece of work that failed by its own doing: `reapLeases` ends it. */
export async function forbidRetry(
  client: Transaction,
  { kind, claim, now }: { kind: WorkKind; claim: Claim; now: Date },
): Promise<void> {
  await client.$executeRaw`
    UPDATE ${TABLE[kind]} SET attempts = ${MAX_ATTEMPTS}, error = ${jsonText(FAILED_BY_ITSELF)}::jsonb, lease_expires_at = ${now}
    WHERE id = ${claim.id}::uuid AND lease_fence = ${claim.fence} AND status = 'running'`;
}

/** Gives a claimed piece of work back, for a worker that stops gracefully. */
export async function releaseWork(
  client: Transaction,
  { kind, claim }: { kind: WorkKind; claim: Claim },
): Promise<void> {
  const changed = await client.$executeRaw`
    UPDATE ${TABLE[kind]} SET status = 'queued', attempts = attempts - 1, lease_owner = NULL, lease_expires_at = NULL
    WHERE id = ${claim.id}::uuid AND lease_fence = ${claim.fence} AND status = 'running'`;
  if (changed > 0) await announceWork(client, kind);
}

/** The lease went to another worker: what this one did must not count. */
export class LeaseLostError extends Error {
  constructor(claim: Claim) {
    super(`the lease of ${claim.id} is no longer held`);
    this.name = 'LeaseLostError';
  }
}

/** Locks the claimed row inside the finishing transaction. @throws LeaseLostError. */
export async function requireLease(
  client: Transaction,
  { kind, claim }: { kind: WorkKind; claim: Claim },
): Promise<void> {
  const rows = await client.$queryRaw<{ id: string }[]>`
    SELECT id FROM ${TABLE[kind]} WHERE id = ${claim.id}::uuid AND lease_fence = ${claim.fence} AND status = 'running' FOR UPDATE`;
  if (rows.length === 0) throw new LeaseLostError(claim);
}
