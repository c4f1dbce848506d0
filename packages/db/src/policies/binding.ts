import { Prisma } from '../generated/client.ts';

/** Selects the groups of a principal. */
export const groupsOf = (principalId: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT m.group_id FROM group_members m JOIN groups g ON g.id = m.group_id AND g.deleted_at IS NULL
  WHERE m.principal_id = ${principalId} AND m.removed_at IS NULL`;

/** A policy `x` that applies, or that a restore of its dropped table brings back. */
export const ACTIVE_OR_DROPPED = Prisma.sql`(x.ended_at IS NULL OR x.ended_by_drop IS NOT NULL)`;

/**
 * The common table expressions `mine` (the groups of a principal) and `binding` (the row filters and column masks that bind it, directly or
 * through one of them). `where` is a condition on a policy `x`.
 */
export function bindingPolicies(principalId: string, where: Prisma.Sql): Prisma.Sql {
  const id = Prisma.sql`${principalId}::uuid`;
  const of = (policies: 'row_filters' | 'column_masks') => Prisma.sql`
    SELECT x.table_id, x.principal_id, x.group_id FROM ${Prisma.raw(policies)} x
    WHERE ${where} AND (x.principal_id = ${id} OR x.group_id IN (SELECT group_id FROM mine))`;
  return Prisma.sql`mine AS MATERIALIZED (${groupsOf(id)}), binding AS (${of('row_filters')} UNION ALL ${of('column_masks')})`;
}
