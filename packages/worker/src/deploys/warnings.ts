import type { Asset, ResolvedJob } from '@svc/core/deploys';
import { bindPrincipalCommand } from '@svc/core/jobs';
import { bindCommand, createCommand } from '@svc/core/secrets';
import { findDeployment } from '@svc/db/deploys';
import { listJobs } from '@svc/db/jobs';
import { listSecrets } from '@svc/db/secrets';
import { tablesKeptAside } from '@svc/db/tables';
import type { DeployWork } from './deploy-work.ts';

/** What a deploy warns of (specification 2.8); a dry run words it conditionally. */
export async function deployWarnings(
  work: DeployWork,
  jobs: readonly ResolvedJob[],
  assets: readonly Asset[],
): Promise<string[]> {
  return [
    ...(await withoutPrincipal(work, jobs)),
    ...(await droppedStarts(work, jobs)),
    ...(await withoutWebhook(work, jobs)),
    ...(await keptAside(work, assets)),
  ];
}

async function withoutPrincipal({ deps, row }: DeployWork, jobs: readonly ResolvedJob[]): Promise<string[]> {
  const deployment = await findDeployment(deps.db.prisma, {
    environmentId: row.environment_id,
    repository: row.repository,
  });
  if (deployment?.run_as_id != null) return [];
  const bind = bindPrincipalCommand(row.repository, row.environment);
  const verb = row.dry_run ? 'would not start' : 'does not start';
  return jobs
    .filter((job) => job.schedule !== null)
    .map(
      (job) =>
        `job ${job.name} has a schedule but no run principal is bound: it ${verb} by itself until one is (${bind})`,
    );
}

async function droppedStarts({ deps, row }: DeployWork, jobs: readonly ResolvedJob[]): Promise<string[]> {
  const live = await listJobs(deps.db.prisma, { environmentId: row.environment_id, repository: row.repository });
  const verb = row.dry_run ? 'would be dropped' : 'is dropped';
  return live
    .filter((job) => job.waiting !== null && !jobs.some(({ name }) => name === job.name))
    .map((job) => `job ${job.name} is removed while a start of it waits: the start ${verb}`);
}

/** A webhook secret counts only when it is bound to its environment (interface: Jobs). */
async function withoutWebhook({ deps, row }: DeployWork, jobs: readonly ResolvedJob[]): Promise<string[]> {
  const notifying = jobs.filter((job) => job.webhook !== null);
  if (notifying.length === 0) return [];
  const live = new Map((await listSecrets(deps.db.prisma, row.environment_id)).map((secret) => [secret.name, secret]));
  const verb = row.dry_run ? 'would be told' : 'is told';
  return notifying.flatMap(({ name, webhook }) => {
    const secret = live.get(webhook!);
    if (secret?.use === 'environment') return [];
    const mend = secret === undefined ? createCommand : bindCommand;
    const command = mend(webhook!, row.environment, null);
    const fault = secret === undefined ? 'missing or revoked' : 'not bound to the environment';
    return [
      `job ${name} names the secret ${webhook} for its webhook, which is ${fault} in ${row.environment}: nobody ${verb} when it fails (${command})`,
    ];
  });
}

async function keptAside({ deps, row }: DeployWork, assets: readonly Asset[]): Promise<string[]> {
  const names = assets.map(({ name }) => name);
  const kept = await tablesKeptAside(deps.db.prisma, {
    environmentId: row.environment_id,
    repositoryId: row.repository_id,
    names,
  });
  const verb = row.dry_run ? 'would stay' : 'stays';
  return kept.map(
    (name) =>
      `table ${name} was kept after a failed check and its asset is removed: it ${verb}, empty, until somebody drops it`,
  );
}
