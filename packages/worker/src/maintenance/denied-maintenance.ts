import { scopeOf } from '@svc/core/access';
import type { Failure } from '@svc/core/errors';
import { maintenanceEndpoints } from '@svc/core/maintenance';
import { isActivePrincipal, listEffectiveGrants } from '@svc/db/access';
import type { StoredMaintenance } from '@svc/db/maintenance';
import type { StoredTable } from '@svc/db/tables';
import { deniedAction } from '../work/denied-action.ts';
import type { WorkerDeps } from '../work/deps.ts';
import { routeText } from '../work/events.ts';
import { failure } from '../work/failures.ts';

/** The route of maintenance in AUTHORIZATION_DENIED events. */
const ROUTE = routeText(maintenanceEndpoints.create);

/**
 * Why the principal may no longer maintain the table, or null. Maintenance can wait and run for a long time, and what it
 * expires doesn't come back.
 */
export async function deniedMaintenance(
  deps: WorkerDeps,
  row: StoredMaintenance,
  { environment, table }: { environment: string; table: StoredTable },
): Promise<Failure | null> {
  const { requested_by: principalId, environment_id: environmentId } = row;
  // A rule of the environment requests it.
  if (principalId === null) return null;
  const { prisma } = deps.db;
  if (!(await isActivePrincipal(prisma, principalId)))
    return failure('not-allowed', 'The principal that requested the maintenance was deactivated before it was done.');
  const grants = await listEffectiveGrants(prisma, { principalId, environmentId, now: deps.clock() });
  const work = {
    principalId,
    environment: { id: environmentId },
    request: { id: row.request_id, route: ROUTE },
    grants,
  };
  const object = scopeOf({ environment, namespace: table.namespace, table: table.name });
  return deniedAction(deps, work, { action: 'MAINTAIN_TABLE', object, full: row.table });
}
