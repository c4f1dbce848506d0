import { randomUUID } from 'node:crypto';
import { scopeOf } from '@svc/core/access';
import type { NewEvent } from '@svc/db/audit';
import { type Claim, claimWork } from '@svc/db/leases';
import { finishQuery, type QueryStatusChange, type StoredQuery } from '@svc/db/queries';
import type { TestServer } from './index.ts';

const DAY_MS = 24 * 3_600_000;
/** The worker id that tests use. */
export const OWNER = '00000000-0000-4000-8000-000000000001';
export const LEASE_MS = 60_000;

/**
 * Finishes the oldest queued query, like a worker that found one row at this moment or with the given ending; returns
 * its id.
 */
export async function finishNextQuery(
  { db, store }: TestServer,
  now: Date,
  ending?: QueryStatusChange,
): Promise<string> {
  const claim = (await claimWork(db.prisma, { kind: 'queries', owner: OWNER, now, leaseMs: LEASE_MS }))!;
  await finishClaimed({ db, store }, claim, now, ending);
  return claim.id;
}

/** Finishes a claimed query with the given ending and returns its record. */
export async function finishClaimed(
  { db, store }: Pick<TestServer, 'db' | 'store'>,
  claim: Claim,
  now: Date,
  ending?: QueryStatusChange,
): Promise<StoredQuery> {
  const { submitter_id: submitterId } = await db.prisma.query.findUniqueOrThrow({ where: { id: claim.id } });
  const result = {
    columns: [{ name: 'a', type: 'int' }],
    rowCount: 1,
    firstRows: [[1]],
    location: `${store.root}/results/${claim.id}.parquet`,
    expiresAt: new Date(now.getTime() + DAY_MS),
  };
  const event: NewEvent = {
    id: randomUUID(),
    time: now,
    type: 'QUERY_COMPLETED',
    principal: null,
    object: scopeOf({ environment: 'dev' }),
    environmentId: null,
    requestId: null,
    detail: {},
  };
  const outcome = ending ?? { status: 'succeeded', result };
  return (await finishQuery(db.prisma, { claim, outcome, submitterId, tables: [], event, now, returning: true }))!;
}
