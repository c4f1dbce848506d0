import { type EffectiveGrant, nameKey, namespaceChain, type ObjectNames } from '@svc/core/access';
import type { Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { at, past } from './active-grant.ts';
import { INSTANCE_ID } from './authorize-request.ts';
import { type EffectiveGrantRow, selectEffectiveGrants, toEffectiveGrants } from './effective-grants.ts';

/**
 * Whether the principal `p` of a statement was active at a time, according to the audit log: its row only shows whether it is now.
 */
export const wasActive = (time: Prisma.Sql): Prisma.Sql => Prisma.sql`coalesce((
  SELECT (e.detail->>'active')::boolean FROM audit_events e
  WHERE e.type = 'PRINCIPAL_UPDATED' AND e.detail->>'principal_id' = p.id::text AND e.detail->'changed' @> '"active"'
    AND e.time <= ${time}
  ORDER BY e.time DESC, e.id DESC LIMIT 1), true)`;

/** The principal that had the name at a time; null if none had it. */
export async function findPrincipalAt(
  client: Transaction,
  { name, time }: { name: string; time: Date },
): Promise<{ id: string; name: string; active: boolean } | null> {
  const rows = await client.$queryRaw<{ id: string; name: string; active: boolean }[]>`
    SELECT p.id, p.name, ${wasActive(at(time))} AS active FROM principals p
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
