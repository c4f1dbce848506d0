import type { Group, Principal } from '@svc/core/access';
import { ApiError } from '@svc/core/errors';
import { containsText, type Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { before, type Page, type PageRequest, pageOf } from '../paging/index.ts';
import { type RemovedGrant, revokeGrantsOf } from './grants.ts';
import { LOCK, type Lock } from './lock.ts';
import { principalRecord, type StoredPrincipal } from './principals.ts';

interface StoredGroup {
  id: string;
  name: string;
  created_at: Date;
}

const groupRecord = ({ id, name, created_at }: StoredGroup): Group => ({
  id,
  name,
  created_at: created_at.toISOString(),
});

export async function createGroup(
  client: Transaction,
  group: { id: string; name: string; createdBy: string; now: Date },
): Promise<Group> {
  const { id, name, createdBy, now } = group;
  const rows = await client.$queryRaw<{ id: string }[]>`
    INSERT INTO groups (id, name, created_at, created_by) VALUES (${id}::uuid, ${name}, ${now}, ${createdBy}::uuid)
    ON CONFLICT (name) WHERE deleted_at IS NULL DO NOTHING RETURNING id`;
  if (rows.length === 0)
    throw new ApiError('already-exists', `A group named ${name} already exists. Choose another name.`);
  return groupRecord({ id, name, created_at: now });
}

export async function findGroup(client: Transaction, name: string): Promise<Group | null> {
  const row = await client.group.findFirst({ where: { name, deleted_at: null } });
  return row && groupRecord(row);
}

/** Finds a group and locks it until the transaction commits. */
export async function lockGroup(client: Transaction, name: string, lock: Lock): Promise<Group | null> {
  const rows = await client.$queryRaw<StoredGroup[]>`
    SELECT id, name, created_at FROM groups WHERE name = ${name} AND deleted_at IS NULL ${LOCK[lock]}`;
  return rows[0] ? groupRecord(rows[0]) : null;
}

/** Lists groups in the order of ACCESS-13; `search` works as for principals. */
export async function listGroups(
  client: Transaction,
  { search, page }: { search: string; page: PageRequest },
): Promise<Page<Group>> {
  const rows = await client.$queryRaw<StoredGroup[]>`
    SELECT id, name, created_at FROM groups
    WHERE deleted_at IS NULL ${search === '' ? Prisma.empty : Prisma.sql`AND ${containsText(Prisma.sql`name`, search)}`}
      ${before(page)}
    ORDER BY created_at DESC, id DESC LIMIT ${page.limit + 1}`;
  return pageOf(rows, page, groupRecord);
}

/** Deletes a group with its grants and memberships. Returns the revoked grants. */
export async function deleteGroup(
  client: Transaction,
  { groupId, by, now }: { groupId: string; by: string; now: Date },
): Promise<RemovedGrant[]> {
  const removed = await revokeGrantsOf(client, { of: { groupId }, by, now });
  await client.groupMember.updateMany({
    where: { group_id: groupId, removed_at: null },
    data: { removed_at: now, removed_by: by },
  });
  await client.scimResource.deleteMany({ where: { id: groupId } });
  await client.group.update({ where: { id: groupId }, data: { deleted_at: now, deleted_by: by } });
  return removed;
}

export async function listMembers(client: Transaction, groupId: string): Promise<Principal[]> {
  const rows = await client.$queryRaw<StoredPrincipal[]>`
    SELECT p.id, p.name, p.type, p.active, p.created_at FROM group_members m JOIN principals p ON p.id = m.principal_id
    WHERE m.group_id = ${groupId}::uuid AND m.removed_at IS NULL ORDER BY p.name`;
  return rows.map(principalRecord);
}

/**
 * Adds members. Returns the ids of those that weren't members already. A membership that comes from an identity provider becomes one
 * that stays when the provider's claim goes.
 */
export async function addMembers(
  client: Transaction,
  m: { groupId: string; members: readonly { id: string; principalId: string }[]; by: string; now: Date },
): Promise<string[]> {
  if (m.members.length === 0) return [];
  const ids = m.members.map(({ id }) => id);
  const principals = m.members.map(({ principalId }) => principalId);
  const rows = await client.$queryRaw<{ principal_id: string }[]>`
    INSERT INTO group_members (id, group_id, principal_id, added_at, added_by)
    SELECT x.id, ${m.groupId}::uuid, x.principal_id, ${m.now}, ${m.by}::uuid
    FROM unnest(${ids}::uuid[], ${principals}::uuid[]) x(id, principal_id) ORDER BY x.principal_id
    ON CONFLICT (group_id, principal_id) WHERE removed_at IS NULL
      DO UPDATE SET identity_provider_id = NULL, added_by = excluded.added_by
      WHERE group_members.identity_provider_id IS NOT NULL
    RETURNING principal_id`;
  return rows.map((row) => row.principal_id);
}

/** Removes members. Returns the ids of those that were members. */
export async function removeMembers(
  client: Transaction,
  m: { groupId: string; principalIds: readonly string[]; by: string; now: Date },
): Promise<string[]> {
  if (m.principalIds.length === 0) return [];
  const rows = await client.$queryRaw<{ principal_id: string }[]>`
    UPDATE group_members SET removed_at = ${m.now}, removed_by = ${m.by}::uuid
    WHERE group_id = ${m.groupId}::uuid AND principal_id = ANY(${[...m.principalIds]}::uuid[]) AND removed_at IS NULL
    RETURNING principal_id`;
  return rows.map((row) => row.principal_id);
}
