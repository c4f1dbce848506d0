import { type Action, decide, nameKey, namespaceChain, type ObjectScope, scopeOf } from '@svc/core/access';
import { type Asset, deployEndpoints } from '@svc/core/deploys';
import type { Failure } from '@svc/core/errors';
import { isActivePrincipal } from '@svc/db/access';
import { findNamespace } from '@svc/db/namespaces';
import { auditDenial, routeText } from '../work/events.ts';
import { failure } from '../work/failures.ts';
import { type DeployWork, grantsOf } from './deploy-work.ts';

/**
 * Returns the namespaces that the assets name and the deploy creates, outermost first. The deploying principal must
 * still have the right to deploy, and to create each of them. Denials are audited.
 */
export async function missingNamespaces(
  work: DeployWork,
  assets: readonly Asset[],
): Promise<{ paths: string[] } | Failure> {
  const { deps, row } = work;
  const client = deps.db.prisma;
  const grants = await grantsOf(work);
  const environment = scopeOf({ environment: row.environment });
  const active = await isActivePrincipal(client, row.created_by);
  const deploys = decide(grants, 'DEPLOY', environment);
  if (!active || !deploys.allowed) {
    await record(work, { action: 'DEPLOY', object: environment, reason: deploys.reason ?? 'it was deactivated' });
    return failure('not-allowed', `${row.creator} no longer has DEPLOY on environment ${row.environment}.`);
  }
  const namespaces = new Map(
    assets.flatMap((asset) => namespaceChain(asset.namespace)).map((path) => [nameKey(path), path]),
  );
  const missing: string[] = [];
  for (const path of [...namespaces.values()].sort((a, b) => a.split('.').length - b.split('.').length)) {
    if ((await findNamespace(client, { environmentId: row.environment_id, path })) !== null) continue;
    const parent = path.split('.').slice(0, -1).join('.');
    const object = scopeOf({ environment: row.environment, ...(parent === '' ? {} : { namespace: parent }) });
    const { allowed, reason } = decide(grants, 'CREATE_NAMESPACE', object);
    if (!allowed) {
      await record(work, { action: 'CREATE_NAMESPACE', object, reason });
      return failure(
        'not-allowed',
        `The project needs the namespace ${path}, which doesn't exist, and ${row.creator} doesn't have CREATE_NAMESPACE there.`,
        `svc ns create ${path} --env ${row.environment}`,
      );
    }
    missing.push(path);
  }
  return { paths: missing };
}

function record(
  { deps, row }: DeployWork,
  denial: { action: Action; object: ObjectScope; reason: string | null },
): Promise<void> {
  const request = { id: row.request_id, route: routeText(deployEndpoints.create) };
  return auditDenial(deps, { principalId: row.created_by, environment: { id: row.environment_id }, request }, denial);
}
