import { type Action, ADMIN_ONLY, type EffectiveGrant, ROLE_ACTIONS, ROLES } from '@svc/core/access';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { at, past, present } from './active-grant.ts';
import { type StoredGrant, toEffectiveGrant } from './effective-grants.ts';
import { selectActivity } from './past-access.ts';

/** A principal with grants on an object that may allow an action. */
export interface GranteeCandidate {
  id: string;
  name: string;
  type: 'person' | 'service-account';
  active: boolean;
  grants: EffectiveGrant[];
}

/**
 * Lists principals with a grant that carries the action on one of the objects (an object and everything that contains
 * it), by name, strictly after `after`. Returns one row more than `limit` if there is another page.
 */
export async function listGranteeCandidates(
  client: Transaction,
  q: {
    action: Action;
    objectIds: readonly string[];
    environment: string | null;
    after: string | null;
    limit: number;
    now: Date;
    /** Null for the present. */
    at: Date | null;
  },
): Promise<GranteeCandidate[]> {
  const roles = ROLES.filter(
    (role) => ROLE_ACTIONS[role].includes(q.action) && (role === 'ADMIN' || !ADMIN_ONLY.includes(q.action)),
  );
  const moment = q.at === null ? present(at(q.now)) : past(at(q.at));
  const activity = q.at === null ? Prisma.sql`SELECT id AS principal_id, active FROM page` : selectActivity(at(q.at));
  const rows = await client.$queryRaw<
    (StoredGrant & { principal_id: string; name: string; type: 'person' | 'service-account'; active: boolean })[]
  >`
    WITH allowing AS (
      SELECT * FROM grants WHERE ${moment.grant('grants')} AND object_id = ANY(${[...q.objectIds]}::uuid[])
        AND (action = ${q.action} OR role = ANY(${roles}::text[]))
    ), reached AS (
      SELECT g.principal_id AS reached_id, g.id AS grant_id, NULL::text AS group_name FROM allowing g WHERE g.principal_id IS NOT NULL
      UNION ALL
      SELECT m.principal_id, g.id, gr.name FROM allowing g
      JOIN groups gr ON gr.id = g.group_id AND ${moment.group('gr')}
      JOIN group_members m ON m.group_id = gr.id AND ${moment.member('m')}
    ), page AS (
      SELECT * FROM (
        SELECT DISTINCT p.id, p.name, p.type, p.active FROM reached r
        JOIN principals p ON p.id = r.reached_id AND ${moment.principal('p')}) d
      ${q.after === null ? Prisma.empty : Prisma.sql`WHERE d.name COLLATE "C" > ${q.after}`}
      ORDER BY d.name COLLATE "C" LIMIT ${q.limit + 1}
    )
    SELECT p.id AS principal_id, p.name, p.type, coalesce(s.active, true) AS active, g.id, g.role, g.action, g.kind, g.created_at,
           n.path AS namespace, t.name AS table, a.name AS service_account, r.group_name
    FROM page p LEFT JOIN (${activity}) s ON s.principal_id = p.id JOIN reached r ON r.reached_id = p.id JOIN allowing g ON g.id = r.grant_id
    LEFT JOIN namespaces n ON n.id = g.namespace_id LEFT JOIN tables t ON t.id = g.table_id
    LEFT JOIN principals a ON a.id = g.service_account_id
    ORDER BY p.name COLLATE "C", g.created_at, g.id`;
  const candidates = new Map<string, GranteeCandidate>();
  for (const row of rows) {
    const { principal_id: id, name, type, active } = row;
    const candidate = candidates.get(id) ?? { id, name, type, active, grants: [] };
    candidate.grants.push(toEffectiveGrant(row, q.environment));
    candidates.set(id, candidate);
  }
  return [...candidates.values()];
}

/** Lists the principals that a grant applies to: its grantee, or the members of the group. */
export async function listAffectedPrincipals(
  client: Transaction,
  grant: { principal_id: string | null; group_id: string | null },
): Promise<{ id: string; name: string }[]> {
  return client.$queryRaw<{ id: string; name: string }[]>`
    SELECT p.id, p.name FROM principals p WHERE p.deleted_at IS NULL AND (p.id = ${grant.principal_id}::uuid OR p.id IN (
      SELECT principal_id FROM group_members WHERE group_id = ${grant.group_id}::uuid AND removed_at IS NULL))
    ORDER BY p.name`;
}
