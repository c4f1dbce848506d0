import type { Transaction } from '../connection/index.ts';
import { lockProject } from '../deploys/index.ts';
import { Prisma } from '../generated/client.ts';
import { builderSql } from '../tables/builder.ts';

/**
 * Releases the tables that a run built of assets that are no longer in the project's active version, because a deploy,
 * a rollback or undeploy didn't wait for it (RETAIN-4).
 */
export async function releaseBuilt(client: Transaction, runId: string): Promise<void> {
  const select = { environment_id: true, repository_id: true };
  await lockProject(client, await client.run.findUniqueOrThrow({ where: { id: runId }, select }));
  const name = Prisma.sql`n.path_key || '.' || t.name_key`;
  await client.$executeRaw`
    UPDATE tables t SET built_by_repository = ${builderSql(name)} FROM namespaces n, runs x
    WHERE x.id = ${runId}::uuid AND n.id = t.namespace_id AND t.environment_id = x.environment_id
      AND t.built_by_repository = x.repository_id
      AND ${name} IN (SELECT lower(asset) FROM run_tasks WHERE run_id = x.id)
      AND NOT EXISTS (SELECT 1 FROM deployments d WHERE d.environment_id = x.environment_id
        AND d.repository_id = x.repository_id AND d.ended_at IS NULL AND d.project_version_id = x.project_version_id)`;
}
