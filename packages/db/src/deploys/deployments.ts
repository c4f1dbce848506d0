import { nameKey } from '@svc/core/access';
import type { Deployment } from '@svc/core/deploys';
import { jsonText, type Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { releaseTables } from '../tables/release-tables.ts';
import { isDirty } from './is-dirty.ts';

/** What is currently deployed from a repository in an environment. */
export interface StoredDeployment {
  id: string;
  environment_id: string;
  environment: string;
  repository_id: string;
  repository: string;
  project_version_id: string;
  previous_version_id: string | null;
  commit: string | null;
  dirty: boolean | null;
  run_as_id: string | null;
  run_as: string | null;
  /** Whether the bound account is an active service account; null if none is bound. */
  run_as_usable: boolean | null;
  created_at: Date;
  updated_at: Date;
}

const SELECT_DEPLOYMENT = Prisma.sql`
  SELECT d.id, d.environment_id, e.name AS environment, d.repository_id, r.name AS repository, d.project_version_id,
         d.previous_version_id, v.commit, v.dirty, d.run_as_id, p.name AS run_as, d.created_at, d.updated_at,
         (p.active AND p.deleted_at IS NULL AND p.type = 'service-account') AS run_as_usable
  FROM deployments d JOIN environments e ON e.id = d.environment_id JOIN repositories r ON r.id = d.repository_id
  JOIN project_versions v ON v.id = d.project_version_id LEFT JOIN principals p ON p.id = d.run_as_id`;

export function deploymentRecord(row: StoredDeployment): Deployment {
  return {
    repository: row.repository,
    environment: row.environment,
    project_version_id: row.project_version_id,
    commit: row.commit,
    dirty: isDirty(row),
    run_as: row.run_as,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export async function listDeployments(client: Transaction, environmentId: string): Promise<StoredDeployment[]> {
  return client.$queryRaw<StoredDeployment[]>`
    ${SELECT_DEPLOYMENT} WHERE d.environment_id = ${environmentId}::uuid AND d.ended_at IS NULL ORDER BY r.name`;
}

export async function findDeployment(
  client: Transaction,
  q: { environmentId: string; repository: string },
): Promise<StoredDeployment | null> {
  const rows = await client.$queryRaw<StoredDeployment[]>`
    ${SELECT_DEPLOYMENT} WHERE d.environment_id = ${q.environmentId}::uuid AND d.ended_at IS NULL
      AND r.name = ${q.repository} AND r.deleted_at IS NULL`;
  return rows[0] ?? null;
}

/** The deployments of several projects, with whether their environments are protected. */
export async function findDeploymentsOf(
  client: Transaction,
  projects: readonly { environment_id: string; repository_id: string }[],
): Promise<(StoredDeployment & { protected: boolean })[]> {
  if (projects.length === 0) return [];
  const keys = projects.map(({ environment_id, repository_id }) => ({ environment_id, repository_id }));
  return client.$queryRaw<(StoredDeployment & { protected: boolean })[]>`
    SELECT x.*, e.protected FROM (${SELECT_DEPLOYMENT} WHERE d.ended_at IS NULL AND (d.environment_id, d.repository_id) IN (
      SELECT environment_id, repository_id FROM jsonb_to_recordset(${jsonText(keys)}::jsonb)
        AS w(environment_id uuid, repository_id uuid))) x
    JOIN environments e ON e.id = x.environment_id WHERE e.deleted_at IS NULL`;
}

interface VersionChange {
  id: string;
  environmentId: string;
  repositoryId: string;
  versionId: string;
  by: string;
  /** Whether this is a rollback, which deploys that are still running must not undo. */
  isRollback?: boolean;
  now: Date;
}

/** Activates a version. The bound run principal stays (DEPLOY-11). */
export async function setCurrentVersion(client: Transaction, d: VersionChange): Promise<void> {
  await client.$executeRaw`
    INSERT INTO deployments (id, environment_id, repository_id, project_version_id, created_at, created_by, updated_at,
                             rolled_back_at)
    VALUES (${d.id}::uuid, ${d.environmentId}::uuid, ${d.repositoryId}::uuid, ${d.versionId}::uuid, ${d.now},
            ${d.by}::uuid, ${d.now}, ${d.isRollback ? d.now : null})
    ON CONFLICT (environment_id, repository_id) WHERE ended_at IS NULL DO UPDATE SET
      previous_version_id = CASE WHEN deployments.project_version_id = excluded.project_version_id
        THEN deployments.previous_version_id ELSE deployments.project_version_id END,
      project_version_id = excluded.project_version_id, updated_at = excluded.updated_at,
      rolled_back_at = coalesce(excluded.rolled_back_at, deployments.rolled_back_at)`;
}

export async function bindRunPrincipal(
  client: Transaction,
  { deploymentId, principalId, now }: { deploymentId: string; principalId: string | null; now: Date },
): Promise<void> {
  await client.deployment.update({ where: { id: deploymentId }, data: { run_as_id: principalId, updated_at: now } });
}

/** Removes a deployment. Its tables stay, but this project doesn't build them any more. */
export async function removeDeployment(
  client: Transaction,
  { deployment, by, now }: { deployment: StoredDeployment; by: string; now: Date },
): Promise<void> {
  await client.deployment.update({ where: { id: deployment.id }, data: { ended_at: now, ended_by: by } });
  const { environment_id: environmentId, repository_id: repositoryId } = deployment;
  await releaseTables(client, { environmentId, repositoryId, remaining: [] });
}

/** Other projects of the environment whose active versions have assets of these names, with the names. */
export async function listSharedAssets(
  client: Transaction,
  { environmentId, repositoryId, names }: { environmentId: string; repositoryId: string; names: readonly string[] },
): Promise<{ repository: string; names: string[] }[]> {
  return client.$queryRaw`
    SELECT r.name AS repository, array_agg(a.name ORDER BY a.name) AS names FROM deployments d JOIN project_versions v ON v.id = d.project_version_id
      JOIN repositories r ON r.id = d.repository_id, jsonb_to_recordset(v.assets) AS a(name text)
    WHERE d.environment_id = ${environmentId}::uuid AND d.repository_id <> ${repositoryId}::uuid AND d.ended_at IS NULL
      AND lower(a.name) = ANY(${names.map(nameKey)}::text[]) GROUP BY r.name ORDER BY r.name`;
}
