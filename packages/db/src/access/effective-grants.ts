import type { Action, EffectiveGrant, ObjectKind, Role } from '@svc/core/access';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { at, type Moment, present } from './active-grant.ts';

/** A grant as this folder's statements select it. */
export interface StoredGrant {
  id: string;
  role: Role | null;
  action: Action | null;
  kind: ObjectKind;
  namespace: string | null;
  table: string | null;
  service_account?: string | null;
  group_name: string | null;
  created_at: string | Date;
}

/** Converts a grant for the access decision; `environment` is the name of its environment. */
export function toEffectiveGrant(grant: StoredGrant, environment: string | null): EffectiveGrant {
  return {
    grant_id: grant.id,
    role: grant.role,
    action: grant.action,
    group: grant.group_name,
    created_at: new Date(grant.created_at).getTime(),
    scope: {
      kind: grant.kind,
      environment: grant.kind === 'INSTANCE' || grant.kind === 'SERVICE_ACCOUNT' ? null : environment,
      namespace: grant.namespace,
      table: grant.table,
      ...(grant.service_account == null ? {} : { service_account: grant.service_account }),
    },
  };
}

/** A grant with the name of its environment. */
export type EffectiveGrantRow = StoredGrant & { environment: string | null };

/** Selects the grants of `listEffectiveGrants`, for statements that compute both ids themselves; `environmentId` may be NULL. */
export const selectEffectiveGrants = (
  principalId: Prisma.Sql,
  environmentId: Prisma.Sql,
  moment: Moment,
): Prisma.Sql => Prisma.sql`
    WITH effective AS (
      SELECT g.*, NULL::text AS group_name FROM grants g
      WHERE g.principal_id = ${principalId} AND ${moment.grant('g')}
      UNION ALL
      SELECT g.*, gr.name FROM group_members m
      JOIN groups gr ON gr.id = m.group_id AND ${moment.group('gr')}
      JOIN grants g ON g.group_id = gr.id AND ${moment.grant('g')}
      WHERE m.principal_id = ${principalId} AND ${moment.member('m')}
    )
    SELECT h.id, h.role, h.action, h.kind, h.group_name, h.created_at, e.name AS environment, n.path AS namespace,
           t.name AS table, a.name AS service_account
    FROM effective h
    LEFT JOIN environments e ON e.id = h.environment_id
    LEFT JOIN namespaces n ON n.id = h.namespace_id
    LEFT JOIN tables t ON t.id = h.table_id
    LEFT JOIN principals a ON a.id = h.service_account_id
    WHERE h.kind = 'INSTANCE' OR ${environmentId} IS NULL OR h.environment_id = ${environmentId}`;

/** Converts rows of `selectEffectiveGrants`. */
export const toEffectiveGrants = (rows: readonly EffectiveGrantRow[]): EffectiveGrant[] =>
  rows.map((row) => toEffectiveGrant(row, row.environment));

/**
 * Lists all active grants that apply to a principal: those on the instance, and those in one environment or (without
 * `environmentId`) in all. Lists use this to filter what the caller may read; a request on a single object uses
 * `authorizeRequest`, and a statement that reads a table `findReadableTable`.
 */
export async function listEffectiveGrants(
  client: Transaction,
  { principalId, environmentId = null, now }: { principalId: string; environmentId?: string | null; now: Date },
): Promise<EffectiveGrant[]> {
  const ids = [Prisma.sql`${principalId}::uuid`, Prisma.sql`${environmentId}::uuid`] as const;
  const select = selectEffectiveGrants(...ids, present(at(now)));
  return toEffectiveGrants(await client.$queryRaw<EffectiveGrantRow[]>`/* prepared effective-grants */ ${select}`);
}
