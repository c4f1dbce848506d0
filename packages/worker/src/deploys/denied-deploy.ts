import { type Action, decide, type ObjectScope, scopeOf } from '@svc/core/access';
import { deployEndpoints } from '@svc/core/deploys';
import type { Failure } from '@svc/core/errors';
import { isActivePrincipal } from '@svc/db/access';
import type { Transaction } from '@svc/db/connection';
import { auditDenial, routeText } from '../work/events.ts';
import { failure } from '../work/failures.ts';
import { type DeployWork, grantsOf } from './deploy-work.ts';

/** Why the principal may no longer deploy, or null. A denial is audited in the same transaction. */
export async function deniedDeploy(work: DeployWork, client: Transaction): Promise<Failure | null> {
  const { row } = work;
  const object = scopeOf({ environment: row.environment });
  const { allowed, reason } = decide(await grantsOf(work, client), 'DEPLOY', object);
  if (allowed && (await isActivePrincipal(client, row.created_by))) return null;
  await auditDeniedDeploy(work, client, { action: 'DEPLOY', object, reason: reason ?? 'it was deactivated' });
  return failure('not-allowed', `${row.creator} no longer has DEPLOY on environment ${row.environment}.`);
}

/** Records that a deploy was denied something. */
export function auditDeniedDeploy(
  { deps, row }: DeployWork,
  client: Transaction,
  denial: { action: Action; object: ObjectScope; reason: string | null },
): Promise<void> {
  const request = { id: row.request_id, route: routeText(deployEndpoints.create) };
  return auditDenial(
    deps,
    { principalId: row.created_by, environment: { id: row.environment_id }, request },
    denial,
    client,
  );
}
