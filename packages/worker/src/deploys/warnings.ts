import { isApprovedHost, parseNetworkHost } from '@svc/core/addresses';
import type { Asset, ResolvedJob } from '@svc/core/deploys';
import { bindPrincipalCommand } from '@svc/core/jobs';
import { bindCommand, createCommand } from '@svc/core/secrets';
import type { Transaction } from '@svc/db/connection';
import { findDeployment, listSharedAssets } from '@svc/db/deploys';
import { listSecrets } from '@svc/db/secrets';
import { listTablesWithFailedCheck } from '@svc/db/tables';
import type { DeployWork } from './deploy-work.ts';

/** The deployed version, and the removed jobs whose waiting starts are dropped. */
interface Deployed {
  jobs: readonly ResolvedJob[];
  assets: readonly Asset[];
  /** Hosts that its Python tasks connect to. */
  network: readonly string[];
  dropped: readonly string[];
}

/** Returns the warnings of a deploy (DEPLOY-4) before its tables are released; a dry run words them conditionally. */
export async function deployWarnings(
  tx: Transaction,
  work: DeployWork,
  { jobs, assets, network, dropped }: Deployed,
): Promise<string[]> {
  return [
    ...(await withoutPrincipal(tx, work, jobs)),
    ...droppedStarts(work, dropped),
    ...(await withoutWebhook(tx, work, jobs)),
    ...(await failedCheckWarnings(tx, work, assets)),
    ...(await sharedAssets(tx, work, assets)),
    ...unapprovedHosts(work, network),
    ...withoutEngine(work, assets),
  ];
}

async function withoutPrincipal(tx: Transaction, { row }: DeployWork, jobs: readonly ResolvedJob[]): Promise<string[]> {
  const deployment = await findDeployment(tx, {
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

function droppedStarts({ row }: DeployWork, dropped: readonly string[]): string[] {
  const verb = row.dry_run ? 'would be dropped' : 'is dropped';
  return dropped.map((job) => `job ${job} is removed while a start of it waits: the start ${verb}`);
}

/** A webhook secret only counts if it is bound to its environment (SECRET-1). */
async function withoutWebhook(tx: Transaction, { row }: DeployWork, jobs: readonly ResolvedJob[]): Promise<string[]> {
  const notifying = jobs.filter((job) => job.webhook !== null);
  if (notifying.length === 0) return [];
  const live = new Map((await listSecrets(tx, row.environment_id)).map((secret) => [secret.name, secret]));
  const verb = row.dry_run ? 'would be notified' : 'is notified';
  return notifying.flatMap(({ name, webhook }) => {
    const secret = live.get(webhook!);
    if (secret?.use === 'environment') return [];
    const remedyCommand = secret === undefined ? createCommand : bindCommand;
    const command = remedyCommand(webhook!, row.environment, null);
    const reason = secret === undefined ? 'missing or revoked' : 'not bound to the environment';
    return [
      `job ${name} names the secret ${webhook} for its webhook, which is ${reason} in ${row.environment}: no one ${verb} when it fails (${command})`,
    ];
  });
}

/** The workers that run the tasks may have other settings, so this is only a warning. */
function unapprovedHosts({ deps, row }: DeployWork, network: readonly string[]): string[] {
  const { taskNetwork } = deps;
  const verb = row.dry_run ? "couldn't" : "can't";
  if (network.length === 0 || taskNetwork === null) return [];
  return network
    .filter((host) => !isApprovedHost(taskNetwork.approved, parseNetworkHost(host)!))
    .map(
      (host) =>
        `network in svc.yaml names ${host}, which the operator hasn't approved: tasks ${verb} connect to it until SVC_RUN__NETWORK of the workers lists it`,
    );
}

/** An engine that the service may lack, and what that means for an asset. */
const OTHER_ENGINES = {
  spark: {
    setting: 'sparkConnect',
    missing: 'works with Spark, but this service has no Spark Connect server',
    remedy: 'SVC_RUN__SPARK_CONNECT',
  },
  trino: {
    setting: 'trinoUrl',
    missing: "is built on Trino, which this service doesn't have",
    remedy: 'SVC_QUERY__TRINO_URL',
  },
} as const;

/** The workers that run the tasks may have other settings, so this is only a warning. */
function withoutEngine({ deps, row }: DeployWork, assets: readonly Asset[]): string[] {
  const verb = row.dry_run ? 'would fail' : 'fails';
  return assets.flatMap(({ name, engine }) => {
    if (engine !== 'spark' && engine !== 'trino') return [];
    const { setting, missing, remedy } = OTHER_ENGINES[engine];
    if (deps.settings[setting] !== undefined) return [];
    return [`asset ${name} ${missing}: its task ${verb} until ${remedy} of the workers names one`];
  });
}

async function failedCheckWarnings(tx: Transaction, { row }: DeployWork, assets: readonly Asset[]): Promise<string[]> {
  const names = assets.map(({ name }) => name);
  const failedCheckTables = await listTablesWithFailedCheck(tx, {
    environmentId: row.environment_id,
    repositoryId: row.repository_id,
    names,
  });
  const verb = row.dry_run ? 'would stay' : 'stays';
  return failedCheckTables.map(
    (name) =>
      `table ${name} was kept after a failed check and its asset is removed: it ${verb}, empty, until someone drops it`,
  );
}

/** Names that one warning lists. */
const MAX_LISTED = 5;

/** Two projects of an environment may have an asset of the same name, such as while it moves from one to the other. */
async function sharedAssets(tx: Transaction, { row }: DeployWork, assets: readonly Asset[]): Promise<string[]> {
  const project = { environmentId: row.environment_id, repositoryId: row.repository_id };
  const shared = await listSharedAssets(tx, { ...project, names: assets.map(({ name }) => name) });
  const verb = row.dry_run ? 'would replace' : 'replaces';
  return shared.map(({ repository, names }) => {
    const more = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : '';
    const listed = names.slice(0, MAX_LISTED).join(', ');
    const subject = names.length === 1 ? `asset ${listed} is` : `assets ${listed}${more} are`;
    return `${subject} also built by the project ${repository}: each of the two ${verb} what the other has built (remove or rename it in one of them)`;
  });
}
