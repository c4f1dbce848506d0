import type { ResolvedJob } from '@svc/core/deploys';
import { findDeployment } from '@svc/db/deploys';
import type { DeployWork } from './deploy-work.ts';

/** What a deploy warns of (specification 2.8); a dry run words it conditionally. */
export async function deployWarnings({ deps, row }: DeployWork, jobs: readonly ResolvedJob[]): Promise<string[]> {
  const deployment = await findDeployment(deps.db.prisma, {
    environmentId: row.environment_id,
    repository: row.repository,
  });
  if (deployment?.run_as_id != null) return [];
  const bind = `svc deployments set-run-as ${row.repository} --env ${row.environment} --principal <service account>`;
  const verb = row.dry_run ? 'would not start' : 'does not start';
  return jobs
    .filter((job) => job.schedule !== null)
    .map(
      (job) =>
        `job ${job.name} has a schedule but no run principal is bound: it ${verb} by itself until one is (${bind})`,
    );
}
