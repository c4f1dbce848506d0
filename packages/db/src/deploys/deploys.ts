import type { Action } from '@svc/core/access';
import type { Deploy } from '@svc/core/deploys';
import type { Failure } from '@svc/core/errors';
import { jsonText, type Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { announceFinished, announceProgress, announceWork, type Claim, requireLease } from '../leases/index.ts';
import { before, type Page, type PageRequest, pageOf } from '../paging/index.ts';
import { deployRecord, type StoredDeploy, selectDeploy } from './stored-deploy.ts';

export interface NewDeploy {
  id: string;
  environmentId: string;
  repositoryId: string;
  ref: string | null;
  bundleId: string | null;
  /** Of the folder that a bundle was made from. */
  commit?: string | null;
  dirty?: boolean | null;
  dryRun: boolean;
  /** With a dry run: the namespace that its version builds its tables in. */
  devNamespace?: string | null;
  createdBy: string;
  /** The actions of the scope of its token; null: all of `createdBy`. */
  tokenActions?: readonly Action[] | null;
  requestId: string;
  /** The trace context (W3C) that the deploy continues. */
  traceparent?: string | null;
  now: Date;
}

export async function submitDeploy(client: Transaction, d: NewDeploy): Promise<void> {
  await client.deploy.create({
    data: {
      id: d.id,
      environment_id: d.environmentId,
      repository_id: d.repositoryId,
      ref: d.ref,
      bundle_id: d.bundleId,
      commit: d.commit ?? null,
      dirty: d.dirty ?? null,
      dry_run: d.dryRun,
      dev_namespace: d.devNamespace ?? null,
      status: 'queued',
      created_by: d.createdBy,
      ...(d.tokenActions == null ? {} : { token_actions: [...d.tokenActions] }),
      created_at: d.now,
      request_id: d.requestId,
      traceparent: d.traceparent ?? null,
    },
  });
  await announceWork(client, 'deploys');
  await announceProgress(client, { kind: 'deploys', id: d.id });
}

export async function findDeploy(client: Transaction, id: string): Promise<StoredDeploy | null> {
  const rows = await client.$queryRaw<StoredDeploy[]>`${selectDeploy(Prisma.sql`d.assets`)} WHERE d.id = ${id}::uuid`;
  return rows[0] ?? null;
}

/** Lists deploys except dry runs, newest first, ties by id (RUN-3, DEPLOY-2), without the changes of their assets: there may be thousands. */
export async function listDeploys(
  client: Transaction,
  q: { environmentId: string; repositoryId: string | undefined; page: PageRequest },
): Promise<Page<Deploy>> {
  const rows = await client.$queryRaw<StoredDeploy[]>`
    ${selectDeploy(Prisma.sql`NULL::jsonb`)} WHERE d.environment_id = ${q.environmentId}::uuid AND d.dry_run = false
      ${q.repositoryId === undefined ? Prisma.empty : Prisma.sql`AND d.repository_id = ${q.repositoryId}::uuid`}
      ${before(q.page, 'd.created_at', 'd.id')}
    ORDER BY d.created_at DESC, d.id DESC LIMIT ${q.page.limit + 1}`;
  return pageOf(rows, q.page, deployRecord);
}

export interface DeployOutcome {
  status: 'succeeded' | 'failed';
  commit: string | null;
  warnings: readonly string[];
  jobs: Deploy['jobs'];
  assets?: Deploy['assets'];
  /** The version that `assets` are relative to. */
  previousVersionId?: string | null;
  packageIndexes: readonly string[];
  projectVersionId: string | null;
  error: Failure | null;
}

/** Finishes a claimed deploy. The caller adds the deployed version and the event to the same transaction. */
export async function finishDeploy(
  client: Transaction,
  { claim, outcome, now }: { claim: Claim; outcome: DeployOutcome; now: Date },
): Promise<void> {
  await requireLease(client, { kind: 'deploys', claim });
  await client.$executeRaw`
    UPDATE deploys SET status = ${outcome.status}, ended_at = ${now}, lease_owner = NULL, lease_expires_at = NULL,
      commit = ${outcome.commit}, warnings = ${jsonText(outcome.warnings)}::jsonb,
      jobs = ${outcome.jobs === null ? null : jsonText(outcome.jobs)}::jsonb,
      assets = ${outcome.assets == null ? null : jsonText(outcome.assets)}::jsonb,
      previous_version_id = ${outcome.previousVersionId ?? null}::uuid,
      package_indexes = ${jsonText(outcome.packageIndexes)}::jsonb, project_version_id = ${outcome.projectVersionId}::uuid,
      error = ${outcome.error === null ? null : jsonText(outcome.error)}::jsonb
    WHERE id = ${claim.id}::uuid`;
  await announceFinished(client, { kind: 'deploys', id: claim.id });
}

/**
 * What has replaced the version of a deploy since it was submitted: a later deploy of the same project, a rollback or an
 * undeploy. Locks the project until the transaction commits.
 */
export async function supersededBy(
  client: Transaction,
  { environment_id, repository_id, created_at }: StoredDeploy,
): Promise<'deploy' | 'rollback' | 'undeploy' | null> {
  await lockProject(client, { environment_id, repository_id });
  const project = Prisma.sql`environment_id = ${environment_id}::uuid AND repository_id = ${repository_id}::uuid`;
  const [row] = await client.$queryRaw<{ change: 'deploy' | 'rollback' | 'undeploy' | null }[]>`
    SELECT CASE
      WHEN EXISTS (SELECT 1 FROM deploys WHERE ${project} AND status = 'succeeded' AND NOT dry_run
                     AND created_at > ${created_at}) THEN 'deploy'
      WHEN EXISTS (SELECT 1 FROM deployments WHERE ${project} AND rolled_back_at > ${created_at}) THEN 'rollback'
      WHEN EXISTS (SELECT 1 FROM deployments WHERE ${project} AND ended_at > ${created_at}) THEN 'undeploy'
    END AS change`;
  return row!.change;
}

/** Serializes changes of a project's deployment. */
export async function lockProject(
  client: Transaction,
  p: { environment_id: string; repository_id: string },
): Promise<void> {
  await client.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`project ${p.environment_id} ${p.repository_id}`}, 0))`;
}
