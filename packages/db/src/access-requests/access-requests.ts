import type { Action, ObjectScope, Role } from '@svc/core/access';
import type { AccessRequest, RequestState } from '@svc/core/access-requests';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { idsOf, type Page, type PageRequest, pageOf } from '../paging/index.ts';

export interface StoredAccessRequest extends Omit<ObjectScope, 'service_account'> {
  id: string;
  principal_id: string;
  principal: string;
  role: Role | null;
  action: Action | null;
  service_account: string | null;
  reason: string | null;
  expires_at: Date | null;
  state: RequestState;
  created_at: Date;
  decided_at: Date | null;
  decided_by: string | null;
  comment: string | null;
  grant_id: string | null;
}

const SELECT = Prisma.sql`
  SELECT r.id, r.principal_id, p.name AS principal, r.role, r.action, r.kind, r.environment, r.namespace, r.table_name AS table, r.service_account,
         r.reason, r.expires_at, r.state, r.created_at, r.decided_at, d.name AS decided_by, r.comment, r.grant_id
  FROM access_requests r JOIN principals p ON p.id = r.principal_id LEFT JOIN principals d ON d.id = r.decided_by`;

/**
 * Creates a pending request. Returns false if the principal has one for the same already.
 *
 * @param r.wanted what is requested, as one text
 */
export async function createAccessRequest(
  client: Transaction,
  r: {
    id: string;
    principalId: string;
    role: Role | null;
    action: Action | null;
    object: ObjectScope;
    wanted: string;
    reason: string | null;
    expiresAt: Date | null;
    now: Date;
  },
): Promise<boolean> {
  const { kind, environment, namespace, table, service_account = null } = r.object;
  const added = await client.$executeRaw`
    INSERT INTO access_requests (id, principal_id, role, action, kind, environment, namespace, table_name, service_account,
      wanted, reason, expires_at, state, created_at)
    VALUES (${r.id}::uuid, ${r.principalId}::uuid, ${r.role}, ${r.action}, ${kind}, ${environment}, ${namespace}, ${table}, ${service_account},
      ${r.wanted}, ${r.reason}, ${r.expiresAt}, 'pending', ${r.now})
    ON CONFLICT (principal_id, wanted) WHERE state = 'pending' DO NOTHING`;
  return added > 0;
}

/** The number of pending requests of a principal, counted up to `limit`. */
export async function countPending(
  client: Transaction,
  { principalId, limit }: { principalId: string; limit: number },
): Promise<number> {
  const rows = await client.accessRequest.findMany({
    where: { principal_id: principalId, state: 'pending' },
    select: { id: true },
    take: limit,
  });
  return rows.length;
}

/** Finds a request; `lock` prevents a concurrent decision until the transaction commits. */
export async function findAccessRequest(
  client: Transaction,
  { id, lock = false }: { id: string; lock?: boolean },
): Promise<StoredAccessRequest | null> {
  const rows = await client.$queryRaw<StoredAccessRequest[]>`${SELECT}
    WHERE r.id = ${id}::uuid ${lock ? Prisma.sql`FOR UPDATE OF r` : Prisma.empty}`;
  return rows[0] ?? null;
}

export async function decideAccessRequest(
  client: Transaction,
  r: { id: string; state: RequestState; by: string; comment: string | null; grantId?: string; now: Date },
): Promise<void> {
  await client.$executeRaw`
    UPDATE access_requests SET state = ${r.state}, decided_at = ${r.now}, decided_by = ${r.by}::uuid, comment = ${r.comment},
      grant_id = ${r.grantId ?? null}::uuid
    WHERE id = ${r.id}::uuid`;
}

export interface AccessRequestFilter {
  /** Undefined for those of everyone. */
  principalId: string | undefined;
  state: RequestState | undefined;
}

/** Lists requests, newest first, ties by id. */
export async function listAccessRequests(
  client: Transaction,
  { filter: { principalId, state }, page }: { filter: AccessRequestFilter; page: PageRequest },
): Promise<Page<AccessRequest>> {
  const rows = Prisma.sql`FROM access_requests WHERE true
    ${principalId === undefined ? Prisma.empty : Prisma.sql`AND principal_id = ${principalId}::uuid`}
    ${state === undefined ? Prisma.empty : Prisma.sql`AND state = ${state}`}`;
  const found = await client.$queryRaw<StoredAccessRequest[]>`
    ${SELECT} WHERE r.id IN (${idsOf(page, [rows])}) ORDER BY r.created_at DESC, r.id DESC`;
  return pageOf(found, page, accessRequestRecord);
}

export function accessRequestRecord({ principal_id: _id, ...r }: StoredAccessRequest): AccessRequest {
  return {
    ...r,
    expires_at: r.expires_at?.toISOString() ?? null,
    created_at: r.created_at.toISOString(),
    decided_at: r.decided_at?.toISOString() ?? null,
  };
}
