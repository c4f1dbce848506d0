import type { EffectiveGrant } from '@svc/core/access';
import { batched, type Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { type Moment, present } from './active-grant.ts';
import { type StoredGrant, toEffectiveGrant } from './effective-grant.ts';

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
 * `authorizeRequest`.
 */
export async function listEffectiveGrants(
  client: Transaction,
  { principalId, environmentId = null, now }: { principalId: string; environmentId?: string | null; now: Date },
): Promise<EffectiveGrant[]> {
  const [grants] = await grantsOfBatch(client, [{ principalId, environmentId, now }]);
  return grants!;
}

interface GrantsRequest {
  principalId: string;
  environmentId: string | null;
  now: Date;
}

export type ListEffectiveGrants = (request: GrantsRequest) => Promise<readonly EffectiveGrant[]>;

/** `listEffectiveGrants` in batches of concurrent requests. */
export function openEffectiveGrants(client: Transaction): ListEffectiveGrants {
  return batched((requests: readonly GrantsRequest[]) => grantsOfBatch(client, requests), {
    ...{ maxConcurrent: 2, maxSize: 32 },
    keyOf: ({ principalId, environmentId }) => `${principalId} ${environmentId}`,
  });
}

async function grantsOfBatch(client: Transaction, requests: readonly GrantsRequest[]): Promise<EffectiveGrant[][]> {
  const [principal, environment, now] = ['principal_id', 'environment_id', 'now'].map((name) =>
    Prisma.raw(`request.${name}`),
  ) as [Prisma.Sql, Prisma.Sql, Prisma.Sql];
  const select = selectEffectiveGrants(principal, environment, present(now));
  const rows = await client.$queryRaw<(EffectiveGrantRow & { n: number })[]>`/* prepared effective-grants */
    SELECT request.n::int, one.*
    FROM unnest((SELECT ${requests.map(({ principalId }) => principalId)}::uuid[]),
                (SELECT ${requests.map(({ environmentId }) => environmentId)}::uuid[]),
                (SELECT ${requests.map((request) => request.now.toISOString())}::timestamptz[]))
         WITH ORDINALITY AS request(principal_id, environment_id, now, n)
    CROSS JOIN LATERAL (${select}) one`;
  const grants = requests.map((): EffectiveGrantRow[] => []);
  for (const { n, ...row } of rows) grants[n - 1]!.push(row);
  return grants.map(toEffectiveGrants);
}
