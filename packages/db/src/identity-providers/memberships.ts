import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';

export interface ChangedMemberships {
  /** Names of groups. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

interface Row {
  id: string;
  name: string;
}

/**
 * Makes the memberships of a principal exactly those that the values of a provider's claim stand for (SSO-12). Memberships that somebody has
 * added stay.
 */
export async function followGroups(
  client: Transaction,
  m: { providerId: string; principalId: string; values: readonly string[]; now: Date; newId: () => string },
): Promise<ChangedMemberships> {
  const wanted = await client.$queryRaw<Row[]>`
    SELECT g.id, g.name FROM groups g
    WHERE g.deleted_at IS NULL AND g.id IN (
      SELECT (one->>'group_id')::uuid FROM identity_providers i, jsonb_array_elements(i.group_mapping) one
      WHERE i.id = ${m.providerId}::uuid AND one->>'value' = ANY(${[...m.values]}::text[]))
    ORDER BY g.id FOR SHARE OF g`;
  const removed = await endMemberships(client, {
    providerId: m.providerId,
    principalId: m.principalId,
    except: wanted.map(({ id }) => id),
    by: null,
    now: m.now,
  });
  const added: string[] = [];
  for (const { id, name } of wanted) {
    const rows = await client.$executeRaw`
      INSERT INTO group_members (id, group_id, principal_id, added_at, identity_provider_id)
      VALUES (${m.newId()}::uuid, ${id}::uuid, ${m.principalId}::uuid, ${m.now}, ${m.providerId}::uuid)
      ON CONFLICT (group_id, principal_id) WHERE removed_at IS NULL DO NOTHING`;
    if (rows > 0) added.push(name);
  }
  return { added: added.sort(), removed: removed.map(({ group }) => group) };
}

/** Ends memberships that come from a provider: those of one principal, or all. */
export async function endMemberships(
  client: Transaction,
  m: { providerId: string; principalId: string | null; except?: readonly string[]; by: string | null; now: Date },
): Promise<{ group: string; principal: string }[]> {
  const ofPrincipal = m.principalId === null ? Prisma.empty : Prisma.sql`AND principal_id = ${m.principalId}::uuid`;
  return client.$queryRaw`
    WITH removed AS (
      UPDATE group_members SET removed_at = ${m.now}, removed_by = ${m.by}::uuid
      WHERE identity_provider_id = ${m.providerId}::uuid AND removed_at IS NULL ${ofPrincipal}
        AND group_id <> ALL(${[...(m.except ?? [])]}::uuid[])
      RETURNING group_id, principal_id)
    SELECT g.name AS group, p.name AS principal
    FROM removed m JOIN groups g ON g.id = m.group_id JOIN principals p ON p.id = m.principal_id
    ORDER BY g.name COLLATE "C", p.name COLLATE "C"`;
}
