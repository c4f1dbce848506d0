import { decide, nameKey, namespaceChain, scopeOf } from '@svc/core/access';
import type { Asset } from '@svc/core/deploys';
import type { Failure } from '@svc/core/errors';
import { heldGrants, isActivePrincipal } from '@svc/db/access';
import { findNamespace } from '@svc/db/namespaces';
import type { DeployWork } from './deploy-work.ts';

/**
 * The namespaces that the assets name and that a deploy creates, outermost first. The deploying principal must still be
 * allowed to deploy, and to create each of them.
 */
export async function missingNamespaces(
  { deps, row }: DeployWork,
  assets: readonly Asset[],
): Promise<{ paths: string[] } | Failure> {
  const refuse = (detail: string, remedy: string | null = null): Failure => ({ code: 'not-allowed', detail, remedy });
  const client = deps.db.prisma;
  const held = await heldGrants(client, { principalId: row.created_by, environmentId: row.environment_id });
  const environment = scopeOf({ environment: row.environment });
  const active = await isActivePrincipal(client, row.created_by);
  if (!active || !decide(held, 'DEPLOY', environment).allowed)
    return refuse(`${row.creator} may not DEPLOY on environment ${row.environment} any more.`);
  const wanted = new Map(
    assets.flatMap((asset) => namespaceChain(asset.namespace)).map((path) => [nameKey(path), path]),
  );
  const missing: string[] = [];
  for (const path of [...wanted.values()].sort((a, b) => a.split('.').length - b.split('.').length)) {
    if ((await findNamespace(client, { environmentId: row.environment_id, path })) !== null) continue;
    const parent = path.split('.').slice(0, -1).join('.');
    const on = scopeOf({ environment: row.environment, ...(parent === '' ? {} : { namespace: parent }) });
    if (!decide(held, 'CREATE_NAMESPACE', on).allowed) {
      return refuse(
        `The project needs the namespace ${path}, which does not exist, and ${row.creator} may not CREATE_NAMESPACE there.`,
        `svc ns create ${path} --env ${row.environment}`,
      );
    }
    missing.push(path);
  }
  return { paths: missing };
}
