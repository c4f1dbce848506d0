import type { ScimFilter, ScimUser } from '@svc/core/scim';
import { at, isActive } from '../access/active-grant.ts';
import { LOCK } from '../access/lock.ts';
import { PRINCIPAL_COLUMNS, type StoredPrincipal } from '../access/principals.ts';
import { jsonText, sqlState, type Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';

export type ScimKind = 'user' | 'group';

interface StoredScim {
  id: string;
  name: string;
  external_id: string | null;
  created_at: Date;
  updated_at: Date;
}

export interface StoredScimUser extends StoredScim {
  active: boolean;
  email: string | null;
  attributes: Pick<ScimUser, 'displayName' | 'name'>;
}

export interface StoredScimGroup extends StoredScim {
  members: { id: string; name: string }[];
}

/** The active provider that manages people through this service account. */
export async function findScimProvider(
  client: Transaction,
  accountId: string,
): Promise<{ id: string; name: string } | null> {
  return client.identityProvider.findFirst({
    where: { scim_account_id: accountId, active: true, deleted_at: null },
    select: { id: true, name: true },
  });
}

const USERS = Prisma.sql`
  SELECT p.id, p.name, s.external_id, s.created_at, s.updated_at, p.active, p.email, s.attributes
  FROM scim_resources s JOIN principals p ON p.id = s.id AND p.deleted_at IS NULL`;
const GROUPS = Prisma.sql`
  SELECT g.id, g.name, s.external_id, s.created_at, s.updated_at
  FROM scim_resources s JOIN groups g ON g.id = s.id AND g.deleted_at IS NULL`;

const managed = (providerId: string, kind: ScimKind) =>
  Prisma.sql`WHERE s.identity_provider_id = ${providerId}::uuid AND s.kind = ${kind}`;

/** Names are compared in any letter case, as the protocol requires. */
function matches(filter: ScimFilter | null, alias: 'p' | 'g'): Prisma.Sql {
  if (filter === null) return Prisma.empty;
  if (filter.attribute === 'externalId') return Prisma.sql`AND s.external_id = ${filter.value}`;
  if (filter.attribute === 'id') return Prisma.sql`AND s.id::text = lower(${filter.value})`;
  return Prisma.sql`AND lower(${Prisma.raw(`${alias}.name`)}) = lower(${filter.value})`;
}

export interface ScimList {
  providerId: string;
  filter: ScimFilter | null;
  offset: number;
  limit: number;
}

/** A page of the people that a provider manages, oldest first, and how many there are. */
export async function listScimUsers(client: Transaction, { providerId, filter, offset, limit }: ScimList) {
  const where = Prisma.sql`${managed(providerId, 'user')} ${matches(filter, 'p')}`;
  const items = await client.$queryRaw<StoredScimUser[]>`
    ${USERS} ${where} ORDER BY s.created_at, s.id OFFSET ${offset} LIMIT ${limit}`;
  const [count] = await client.$queryRaw<{ n: number }[]>`
    SELECT count(*)::int AS n FROM scim_resources s JOIN principals p ON p.id = s.id AND p.deleted_at IS NULL ${where}`;
  return { items, total: count!.n };
}

/** A page of the groups that a provider manages, without their members. */
export async function listScimGroups(client: Transaction, { providerId, filter, offset, limit }: ScimList) {
  const where = Prisma.sql`${managed(providerId, 'group')} ${matches(filter, 'g')}`;
  const items = await client.$queryRaw<StoredScim[]>`
    ${GROUPS} ${where} ORDER BY s.created_at, s.id OFFSET ${offset} LIMIT ${limit}`;
  const [count] = await client.$queryRaw<{ n: number }[]>`
    SELECT count(*)::int AS n FROM scim_resources s JOIN groups g ON g.id = s.id AND g.deleted_at IS NULL ${where}`;
  return { items, total: count!.n };
}

type Key = { providerId: string; id: string };

/** A person that a provider manages; `lock` locks it until the transaction commits. */
export async function findScimUser(client: Transaction, { providerId, id }: Key, lock = false) {
  const rows = await client.$queryRaw<StoredScimUser[]>`
    ${USERS} ${managed(providerId, 'user')} AND s.id = ${id}::uuid
    ${lock ? Prisma.sql`${LOCK.update} OF p, s` : Prisma.empty}`;
  return rows[0] ?? null;
}

/** A group that a provider manages; `lock` locks it until the transaction commits. */
export async function findScimGroup(
  client: Transaction,
  { providerId, id }: Key,
  lock = false,
): Promise<StoredScimGroup | null> {
  const rows = await client.$queryRaw<StoredScim[]>`
    ${GROUPS} ${managed(providerId, 'group')} AND s.id = ${id}::uuid
    ${lock ? Prisma.sql`${LOCK.update} OF g, s` : Prisma.empty}`;
  const [group] = rows;
  return group === undefined
    ? null
    : { ...group, members: (await scimMembers(client, { providerId, ids: [id] })).get(id)! };
}

type Members = StoredScimGroup['members'];

/** The members of each of the groups that their provider manages. Others that somebody has added aren't the provider's business. */
export async function scimMembers(
  client: Transaction,
  { providerId, ids }: { providerId: string; ids: readonly string[] },
): Promise<Map<string, Members>> {
  const rows = await client.$queryRaw<{ group_id: string; id: string; name: string }[]>`
    SELECT m.group_id, p.id, p.name FROM group_members m
    JOIN scim_resources s ON s.id = m.principal_id AND s.identity_provider_id = ${providerId}::uuid AND s.kind = 'user'
    JOIN principals p ON p.id = m.principal_id AND p.deleted_at IS NULL
    WHERE m.group_id = ANY(${[...ids]}::uuid[]) AND m.removed_at IS NULL ORDER BY p.name COLLATE "C"`;
  const byGroup = new Map<string, Members>(ids.map((id) => [id, []]));
  for (const { group_id, id, name } of rows) byGroup.get(group_id)!.push({ id, name });
  return byGroup;
}

/** Those of the ids that are people whom the provider manages, locked against deletion. */
export async function usersAmong(
  client: Transaction,
  { providerId, ids }: { providerId: string; ids: readonly string[] },
): Promise<{ id: string; name: string }[]> {
  return client.$queryRaw`
    SELECT p.id, p.name FROM scim_resources s JOIN principals p ON p.id = s.id AND p.deleted_at IS NULL
    ${managed(providerId, 'user')} AND s.id = ANY(${[...ids]}::uuid[]) ORDER BY p.id ${LOCK.share} OF p`;
}

/** Stores what svc doesn't use itself. Returns false if another resource of the provider has the external id. */
export async function putScimResource(
  client: Transaction,
  r: Key & { kind: ScimKind; externalId: string | null; attributes: object; now: Date },
): Promise<boolean> {
  try {
    await client.$executeRaw`
      INSERT INTO scim_resources (id, identity_provider_id, kind, external_id, attributes, created_at, updated_at)
      VALUES (${r.id}::uuid, ${r.providerId}::uuid, ${r.kind}, ${r.externalId}, ${jsonText(r.attributes)}::jsonb, ${r.now}, ${r.now})
      ON CONFLICT (id) DO UPDATE SET external_id = excluded.external_id, attributes = excluded.attributes,
        updated_at = excluded.updated_at`;
    return true;
  } catch (error) {
    if (sqlState(error) === '23505') return false;
    throw error;
  }
}

/** Whether a person or a group has ADMIN on the instance. */
export async function isAdministered(client: Transaction, { id, now }: { id: string; now: Date }): Promise<boolean> {
  const rows = await client.$queryRaw<{ found: boolean }[]>`
    SELECT EXISTS (
      SELECT 1 FROM grants g WHERE g.role = 'ADMIN' AND g.kind = 'INSTANCE' AND ${isActive('g', at(now))}
        AND (g.principal_id = ${id}::uuid OR g.group_id = ${id}::uuid OR g.group_id IN (
          SELECT m.group_id FROM group_members m WHERE m.principal_id = ${id}::uuid AND m.removed_at IS NULL))) AS found`;
  return rows[0]!.found;
}

/** The person that a provider has created with this external id, locked against changes until the transaction commits. */
export async function lockPersonByExternalId(
  client: Transaction,
  { providerId, externalId }: { providerId: string; externalId: string },
): Promise<StoredPrincipal | null> {
  const rows = await client.$queryRaw<StoredPrincipal[]>`
    SELECT ${PRINCIPAL_COLUMNS}
    FROM scim_resources s JOIN principals p ON p.id = s.id AND p.deleted_at IS NULL
    ${managed(providerId, 'user')} AND s.external_id = ${externalId} ${LOCK.update} OF p, s`;
  return rows[0] ?? null;
}
