import { decide, nameKey, namespaceChain, scopeOf } from '@svc/core/access';
import type { Asset } from '@svc/core/deploys';
import type { Failure } from '@svc/core/errors';
import { findNamespace } from '@svc/db/namespaces';
import { failure } from '../work/failures.ts';
import { auditDeniedDeploy } from './denied-deploy.ts';
import { type DeployWork, grantsOf } from './deploy-work.ts';

/**
 * Returns the namespaces that the assets name and the deploy creates, outermost first. The deploying principal must
 * have the right to create each of them. Denials are audited.
 */
export async function missingNamespaces(
  work: DeployWork,
  assets: readonly Asset[],
): Promise<{ paths: string[] } | Failure> {
  const { deps, row } = work;
  const client = deps.db.prisma;
  const grants = await grantsOf(work);
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
      await auditDeniedDeploy(work, client, { action: 'CREATE_NAMESPACE', object, reason });
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
