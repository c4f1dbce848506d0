import { type EffectiveGrant, nameKey, namespaceChain, type ObjectNames } from '@svc/core/access';
import { unionBySequence } from '../audit/select-events.ts';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { at, past } from './active-grant.ts';
import { type EffectiveGrantRow, selectEffectiveGrants, toEffectiveGrants } from './effective-grants.ts';
import { INSTANCE_ID } from './object-grants.ts';

/**
 * Selects whether principals were active at a time, as (principal_id, active), from the audit log: their rows only show whether they are now.
 * Those that nobody had activated or deactivated by then are missing: they were active.
 */
export function selectActivity(time: Prisma.Sql): Prisma.Sql {
  const part = (condition: Prisma.Sql) => Prisma.sql`
    SELECT id, time, detail FROM audit_events
    WHERE ${condition} AND type = 'PRINCIPAL_UPDATED' AND time <= ${time} AND detail->'changed' @> '"active"'`;
  return Prisma.sql`
    SELECT DISTINCT ON (principal_id) principal_id, active FROM (
      SELECT id, time, (detail->>'principal_id')::uuid AS principal_id, (detail->>'active')::boolean AS active
      FROM ${unionBySequence(part)}
      UNION ALL SELECT event_id, time, principal_id, active FROM audit_activations WHERE time <= ${time}
    ) activations ORDER BY principal_id, time DESC, id DESC`;
}

/** The principal that had the name at a time; null if none had it. */
export async function findPrincipalAt(
  client: Transaction,
  { name, time }: { name: string; time: Date },
): Promise<{ id: string; name: string; active: boolean } | null> {
  const rows = await client.$queryRaw<{ id: string; name: string; active: boolean }[]>`
    SELECT p.id, p.name, coalesce(a.active, true) AS active
    FROM principals p LEFT JOIN (${selectActivity(at(time))}) a ON a.principal_id = p.id
    WHERE p.name = ${name} AND ${past(at(time)).principal('p')}`;
  return rows[0] ?? null;
}

/** The grants that applied to a principal at a time (ACCESS-47). */
export async function listGrantsAt(
  client: Transaction,
  { principalId, time }: { principalId: string; time: Date },
): Promise<EffectiveGrant[]> {
  const select = selectEffectiveGrants(Prisma.sql`${principalId}::uuid`, Prisma.sql`NULL::uuid`, past(at(time)));
  return toEffectiveGrants(await client.$queryRaw<EffectiveGrantRow[]>`${select}`);
}

/** The ids of all objects that the names refer to now or referred to before they were dropped, and of what contains them. */
export async function objectIdsEver(client: Transaction, names: ObjectNames): Promise<string[]> {
  const { environment = null, namespace = null, table = null, service_account: account = null } = names;
  const paths = namespace === null ? [] : namespaceChain(nameKey(namespace));
  const rows = await client.$queryRaw<{ id: string }[]>`
    WITH env AS (SELECT id FROM environments WHERE name = ${environment}),
    ns AS (SELECT n.id, n.path_key FROM namespaces n JOIN env ON env.id = n.environment_id WHERE n.path_key = ANY(${paths}))
    SELECT id FROM env UNION ALL SELECT id FROM ns
    UNION ALL SELECT t.id FROM tables t JOIN ns ON ns.id = t.namespace_id AND ns.path_key = ${paths.at(-1) ?? null}
              WHERE t.name_key = ${table === null ? null : nameKey(table)}
    UNION ALL SELECT id FROM principals WHERE name = ${account} AND type = 'service-account'`;
  return [INSTANCE_ID, ...rows.map(({ id }) => id)];
}
