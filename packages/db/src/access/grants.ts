import { type Action, ADMIN_ONLY, type Grant, type ObjectKind, ROLE_ACTIONS, ROLES, type Role } from '@svc/core/access';
import { ApiError } from '@svc/core/errors';
import type { Transaction } from '../connection/index.ts';
import { lockEnvironmentForShare } from '../environments/index.ts';
import { Prisma } from '../generated/client.ts';
import { idsOf, type Page, type PageRequest, pageOf } from '../paging/index.ts';
import { requireLiveTable } from '../tables/index.ts';
import { at, isActive } from './active-grant.ts';
import { INSTANCE_ID } from './object-grants.ts';

/** The ids of a grant's object; null for parts that its kind doesn't have. */
export interface GrantObject {
  kind: ObjectKind;
  environmentId: string | null;
  namespaceId: string | null;
  tableId: string | null;
  serviceAccountId: string | null;
}

export const objectId = (o: GrantObject): string =>
  o.serviceAccountId ?? o.tableId ?? o.namespaceId ?? o.environmentId ?? INSTANCE_ID;

export interface NewGrant {
  id: string;
  object: GrantObject;
  principalId: string | null;
  groupId: string | null;
  role: Role | null;
  action: Action | null;
  createdBy: string | null;
  /** Null if it doesn't expire. */
  expiresAt: Date | null;
  now: Date;
}

/**
 * Creates a grant and locks its object, so that it can't be dropped concurrently. @throws ApiError `not-found` if the
 * object is gone
 */
export async function createGrant(client: Transaction, grant: NewGrant): Promise<void> {
  const { object } = grant;
  if (object.environmentId !== null) await lockEnvironmentForShare(client, object.environmentId);
  if (object.tableId !== null) await requireLiveTable(client, object.tableId);
  if (object.serviceAccountId !== null) await lockServiceAccount(client, object.serviceAccountId);
  await client.grant.create({
    data: {
      id: grant.id,
      principal_id: grant.principalId,
      group_id: grant.groupId,
      role: grant.role,
      action: grant.action,
      kind: object.kind,
      environment_id: object.environmentId,
      namespace_id: object.namespaceId,
      table_id: object.tableId,
      service_account_id: object.serviceAccountId,
      object_id: objectId(object),
      created_at: grant.now,
      created_by: grant.createdBy,
      expires_at: grant.expiresAt,
    },
  });
}

async function lockServiceAccount(client: Transaction, id: string): Promise<void> {
  const rows = await client.$queryRaw<{ id: string }[]>`
    SELECT id FROM principals WHERE id = ${id}::uuid AND deleted_at IS NULL FOR SHARE`;
  if (rows.length === 0) throw new ApiError('not-found', 'The service account was deleted while this request ran.');
}

/**
 * Finds an active grant of the same role or action to the same grantee on the same object, which lasts at least as long
 * (ACCESS-10, ACCESS-35).
 */
export async function findDuplicateGrant(client: Transaction, grant: NewGrant): Promise<string | null> {
  // The lock makes a concurrent equal grant visible to the later caller.
  await client.$executeRaw`
    SELECT pg_advisory_xact_lock(hashtextextended(${`grant ${grant.principalId ?? grant.groupId} ${objectId(grant.object)}`}, 0))`;
  const row = await client.grant.findFirst({
    where: {
      principal_id: grant.principalId,
      group_id: grant.groupId,
      object_id: objectId(grant.object),
      role: grant.role,
      action: grant.action,
      ended_at: null,
      OR: [{ expires_at: null }, ...(grant.expiresAt === null ? [] : [{ expires_at: { gte: grant.expiresAt } }])],
    },
    select: { id: true },
  });
  return row?.id ?? null;
}

/** A revoked grant; `environmentId` is the environment of its object. */
export interface RemovedGrant {
  grant: Grant;
  environmentId: string | null;
}

/** A single grant, or all grants to a principal or group, or on a namespace or service account. */
type GrantsOf =
  | { grantId: string }
  | { principalId: string }
  | { groupId: string }
  | { namespaceId: string }
  | { serviceAccountId: string };

const COLUMN_OF = {
  grantId: 'id',
  principalId: 'principal_id',
  groupId: 'group_id',
  namespaceId: 'namespace_id',
  serviceAccountId: 'object_id',
};

/** Revokes the selected active grants and returns them, oldest first. */
export async function revokeGrantsOf(
  client: Transaction,
  { of, by, now }: { of: GrantsOf; by: string; now: Date },
): Promise<RemovedGrant[]> {
  const [[key, id]] = Object.entries(of) as [[keyof typeof COLUMN_OF, string]];
  const removed = await client.$queryRaw<RemovedRow[]>`
    UPDATE grants SET ended_at = ${now}, ended_by = ${by}::uuid
    WHERE ${Prisma.raw(COLUMN_OF[key])} = ${id}::uuid AND ${isActive('grants', at(now))} RETURNING id, environment_id`;
  return removedGrants(client, removed);
}

/** Ends up to `limit` grants that have expired, and returns them (ACCESS-34). */
export async function endExpiredGrants(
  client: Transaction,
  { now, limit }: { now: Date; limit: number },
): Promise<RemovedGrant[]> {
  const removed = await client.$queryRaw<RemovedRow[]>`
    UPDATE grants SET ended_at = expires_at WHERE id IN (
      SELECT id FROM grants WHERE ended_at IS NULL AND expires_at <= ${now}
      ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING id, environment_id`;
  return removedGrants(client, removed);
}

interface RemovedRow {
  id: string;
  environment_id: string | null;
}

async function removedGrants(client: Transaction, removed: readonly RemovedRow[]): Promise<RemovedGrant[]> {
  if (removed.length === 0) return [];
  const rows = await client.$queryRaw<GrantRow[]>`
    ${SELECT_GRANT} WHERE g.id = ANY(${removed.map((grant) => grant.id)}::uuid[]) ORDER BY g.created_at, g.id`;
  const environments = new Map(removed.map((grant) => [grant.id, grant.environment_id]));
  return rows.map((row) => ({ grant: grantRecord(row), environmentId: environments.get(row.id) ?? null }));
}

type GrantRow = Omit<Grant, 'created_at' | 'expires_at' | 'last_used_at'> & {
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
};

const grantRecord = (row: GrantRow): Grant => ({
  ...row,
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at?.toISOString() ?? null,
  last_used_at: row.last_used_at?.toISOString() ?? null,
});

const SELECT_GRANT = Prisma.sql`
  SELECT g.id, g.principal_id, g.group_id, g.role, g.action, g.kind, p.name AS principal, gr.name AS group,
         e.name AS environment, n.path AS namespace, t.name AS table, g.created_at, g.created_by,
         g.expires_at, a.name AS service_account,
         g.last_used_at
  FROM grants g
  LEFT JOIN principals p ON p.id = g.principal_id LEFT JOIN groups gr ON gr.id = g.group_id
  LEFT JOIN environments e ON e.id = g.environment_id LEFT JOIN namespaces n ON n.id = g.namespace_id
  LEFT JOIN tables t ON t.id = g.table_id LEFT JOIN principals a ON a.id = g.service_account_id`;

export async function findGrant(client: Transaction, id: string, now: Date): Promise<Grant | null> {
  const rows = await client.$queryRaw<GrantRow[]>`
    ${SELECT_GRANT} WHERE g.id = ${id}::uuid AND ${isActive('g', at(now))}`;
  return rows[0] ? grantRecord(rows[0]) : null;
}

export interface GrantFilter {
  principalId?: string | undefined;
  groupId?: string | undefined;
  action?: Action | undefined;
  object?: GrantObject | undefined;
  /** Only grants that were created before this time and allowed nothing since. */
  unusedSince?: Date | undefined;
}

/** Lists active grants with the filters of ACCESS-12, in the order of ACCESS-13. */
export async function listGrants(
  client: Transaction,
  { filter, page, now }: { filter: GrantFilter; page: PageRequest; now: Date },
): Promise<Page<Grant>> {
  const rows = await client.$queryRaw<GrantRow[]>`
    ${SELECT_GRANT} WHERE g.id IN (${idsOf(page, partsOf(filter, now))}) ORDER BY g.created_at DESC, g.id DESC`;
  return pageOf(rows, page, grantRecord);
}

function partsOf({ principalId, groupId, action, object, unusedSince }: GrantFilter, now: Date): Prisma.Sql[] {
  const rows = Prisma.sql`FROM grants WHERE ${isActive('grants', at(now))}
    ${principalId === undefined ? Prisma.empty : Prisma.sql`AND principal_id = ${principalId}::uuid`}
    ${groupId === undefined ? Prisma.empty : Prisma.sql`AND group_id = ${groupId}::uuid`}
    ${object === undefined ? Prisma.empty : Prisma.sql`AND object_id = ${objectId(object)}::uuid`}
    ${unusedSince === undefined ? Prisma.empty : Prisma.sql`AND coalesce(last_used_at + interval '1 day', created_at) <= ${unusedSince}`}`;
  return action === undefined ? [rows] : allowsAction(action).map((condition) => Prisma.sql`${rows} AND ${condition}`);
}

/**
 * Matches grants of the action and of each role that carries it. Some roles carry it on the instance only (ACCESS-4).
 */
function allowsAction(action: Action): Prisma.Sql[] {
  const roles = ROLES.filter((role) => ROLE_ACTIONS[role].includes(action));
  const where = ADMIN_ONLY.includes(action) ? Prisma.sql`AND kind = 'INSTANCE'` : Prisma.empty;
  return [Prisma.sql`action = ${action}`, ...roles.map((role) => Prisma.sql`role = ${role} ${where}`)];
}
