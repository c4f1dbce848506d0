import { namespaceChain } from '@svc/core/access';
import { Prisma } from '../generated/client.ts';
import { isActive } from './active-grant.ts';

export const INSTANCE_ID = '00000000-0000-0000-0000-000000000000';

/** The namespaces that contain each of several objects, for a statement that finds them all. */
export interface NamespaceChains {
  /** The chains of all objects, one after the other. */
  readonly chains: readonly string[];
  /** For each object, where its chain starts in `chains` and where it ends, counted from 1. */
  readonly first: readonly number[];
  readonly last: readonly number[];
}

/** @param innermost for each object, the key of the namespace that contains it; empty if none does */
export function namespaceChains(innermost: readonly string[]): NamespaceChains {
  const [chains, first, last]: [string[], number[], number[]] = [[], [], []];
  for (const key of innermost) {
    first.push(chains.length + 1);
    if (key !== '') chains.push(...namespaceChain(key));
    last.push(chains.length);
  }
  return { chains, first, last };
}

/**
 * The common table expression `effective`: the grants of `caller` (id) on `object` (id, namespace, name) that are active at
 * `request.now`, direct ones and those of groups. `OFFSET 0` forces one index probe per grantee and object; otherwise the
 * planner reads all grants of a grantee, which can be a hundred thousand.
 */
export const GRANTS_ON_OBJECTS = Prisma.sql`effective AS (
      SELECT g.id, g.role, g.action, g.kind, g.created_at, o.namespace, o.name AS table, NULL::text AS group_name
      FROM caller c CROSS JOIN object o CROSS JOIN LATERAL (
        SELECT * FROM grants WHERE principal_id = c.id AND object_id = o.id
          AND ${isActive('grants', Prisma.raw('request.now'))} OFFSET 0) g
      UNION ALL
      SELECT g.id, g.role, g.action, g.kind, g.created_at, o.namespace, o.name, g.group_name
      FROM (SELECT array_agg(m.group_id) AS ids FROM caller c JOIN group_members m
              ON m.principal_id = c.id AND m.removed_at IS NULL) member
      CROSS JOIN object o CROSS JOIN LATERAL (
        SELECT x.*, gr.name AS group_name FROM grants x JOIN groups gr ON gr.id = x.group_id AND gr.deleted_at IS NULL
        WHERE x.object_id = o.id AND x.group_id = ANY(member.ids)
          AND ${isActive('x', Prisma.raw('request.now'))} OFFSET 0) g
    )`;

/** The grants of `GRANTS_ON_OBJECTS` as a JSON array of `StoredGrant`. */
export const GRANTS_ARRAY = Prisma.raw("(SELECT coalesce(jsonb_agg(to_jsonb(h)), '[]') FROM effective h)");
