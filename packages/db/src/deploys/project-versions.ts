import type { Asset, CodeFile, Manifest, ProjectVersion, ProjectVersionSummary, ResolvedJob } from '@svc/core/deploys';
import { jsonText, type Transaction } from '../connection/index.ts';
import { Prisma } from '../generated/client.ts';
import { idsOf, type Page, type PageRequest, pageOf } from '../paging/index.ts';
import { isDirty } from './is-dirty.ts';

/** An immutable project version, created by a deploy (DEPLOY-1). */
export interface StoredVersion {
  id: string;
  environment_id: string;
  environment: string;
  repository_id: string;
  repository: string;
  commit: string | null;
  dirty: boolean | null;
  /** The namespace that contains the assets of a version that is never deployed. */
  dev_namespace: string | null;
  location: string;
  name: string;
  python: string | null;
  /** Hosts that its Python tasks connect to, as `host:port`. */
  network: string[];
  lock_hash: string | null;
  assets: Asset[];
  jobs: ResolvedJob[];
  /** Defaults for tasks of runs without a job. */
  defaults: Manifest['defaults'];
  package_indexes: string[];
  created_at: Date;
  created_by: string;
}

export interface NewVersion {
  id: string;
  environmentId: string;
  repositoryId: string;
  deployId: string;
  commit: string | null;
  dirty: boolean | null;
  devNamespace: string | null;
  location: string;
  name: string;
  python: string | null;
  network: readonly string[];
  lockHash: string | null;
  assets: readonly Asset[];
  jobs: readonly ResolvedJob[];
  defaults: Manifest['defaults'];
  packageIndexes: readonly string[];
  code: readonly CodeFile[];
  createdBy: string;
  now: Date;
}

export async function storeVersion(client: Transaction, v: NewVersion): Promise<void> {
  await client.$executeRaw`
    INSERT INTO project_versions (id, environment_id, repository_id, deploy_id, commit, dirty, dev_namespace, location, name, python, network, lock_hash,
      assets, jobs, defaults, package_indexes, code, created_at, created_by)
    VALUES (${v.id}::uuid, ${v.environmentId}::uuid, ${v.repositoryId}::uuid, ${v.deployId}::uuid, ${v.commit}, ${v.dirty},
      ${v.devNamespace}, ${v.location}, ${v.name}, ${v.python}, ${[...v.network]}, ${v.lockHash}, ${jsonText(v.assets)}::jsonb,
      ${jsonText(v.jobs)}::jsonb, ${jsonText(v.defaults)}::jsonb, ${jsonText(v.packageIndexes)}::jsonb, ${jsonText(v.code)}::jsonb, ${v.now}, ${v.createdBy}::uuid)`;
}

export async function findVersion(client: Transaction, id: string): Promise<StoredVersion | null> {
  return (await findVersions(client, [id]))[0] ?? null;
}

export async function findVersions(client: Transaction, ids: readonly string[]): Promise<StoredVersion[]> {
  if (ids.length === 0) return [];
  return client.$queryRaw<StoredVersion[]>`
    SELECT v.id, v.environment_id, e.name AS environment, v.repository_id, r.name AS repository, v.commit, v.dirty, v.dev_namespace, v.location,
           v.name, v.python, v.network, v.lock_hash, v.assets, v.jobs, v.defaults, v.package_indexes, v.created_at, v.created_by
    FROM project_versions v JOIN environments e ON e.id = v.environment_id JOIN repositories r ON r.id = v.repository_id
    WHERE v.id = ANY(${ids}::uuid[])`;
}

/** The Python files of a version; null if it was stored without them. */
export async function findCode(client: Transaction, versionId: string): Promise<CodeFile[] | null> {
  const rows = await client.$queryRaw<{ code: CodeFile[] | null }[]>`
    SELECT code FROM project_versions WHERE id = ${versionId}::uuid`;
  return rows[0]?.code ?? null;
}

/** The version of the same project that was deployed before this one, or null. */
export async function findVersionBefore(client: Transaction, version: StoredVersion): Promise<StoredVersion | null> {
  const rows = await client.$queryRaw<{ id: string }[]>`
    SELECT id FROM project_versions
    WHERE environment_id = ${version.environment_id}::uuid AND repository_id = ${version.repository_id}::uuid
      AND dev_namespace IS NULL AND (created_at, id) < (${version.created_at}, ${version.id}::uuid)
    ORDER BY created_at DESC, id DESC LIMIT 1`;
  return rows[0] === undefined ? null : findVersion(client, rows[0].id);
}

type ListedVersion = Omit<ProjectVersionSummary, 'created_at'> & { created_at: Date };

/**
 * Lists the versions of deploys, newest first, ties by id. Their assets stay in the database, and only those of the page
 * are counted.
 */
export async function listVersions(
  client: Transaction,
  q: { environmentId: string; repositoryId: string | undefined; page: PageRequest },
): Promise<Page<ProjectVersionSummary>> {
  const versions = Prisma.sql`FROM project_versions
    WHERE environment_id = ${q.environmentId}::uuid AND dev_namespace IS NULL
      ${q.repositoryId === undefined ? Prisma.empty : Prisma.sql`AND repository_id = ${q.repositoryId}::uuid`}`;
  const rows = await client.$queryRaw<ListedVersion[]>`
    SELECT v.id, e.name AS environment, r.name AS repository, v.commit, v.dirty, v.name, v.package_indexes,
           jsonb_path_query_array(v.jobs, '$[*].name') AS jobs, jsonb_array_length(v.assets) AS asset_count,
           d.id IS NOT NULL AS active, v.created_at
    FROM (${idsOf(q.page, [versions])}) keys JOIN project_versions v ON v.id = keys.id
    JOIN environments e ON e.id = v.environment_id JOIN repositories r ON r.id = v.repository_id
    LEFT JOIN deployments d ON d.environment_id = v.environment_id AND d.repository_id = v.repository_id
      AND d.ended_at IS NULL AND d.project_version_id = v.id
    ORDER BY v.created_at DESC, v.id DESC`;
  return pageOf(rows, q.page, (row) => ({
    ...row,
    dirty: isDirty(row),
    created_at: row.created_at.toISOString(),
  }));
}

/** The version of a run if it is one in a development namespace. */
export async function findDevVersionOfRun(client: Transaction, runId: string): Promise<StoredVersion | null> {
  const rows = await client.$queryRaw<{ id: string }[]>`
    SELECT v.id FROM runs x JOIN project_versions v ON v.id = x.project_version_id
    WHERE x.id = ${runId}::uuid AND v.dev_namespace IS NOT NULL`;
  return rows[0] === undefined ? null : findVersion(client, rows[0].id);
}

export function versionRecord(v: StoredVersion): ProjectVersion {
  return {
    id: v.id,
    environment: v.environment,
    repository: v.repository,
    commit: v.commit,
    dirty: isDirty(v),
    name: v.name,
    package_indexes: v.package_indexes,
    network: v.network,
    assets: v.assets.map((a) => ({
      name: a.name,
      kind: a.kind,
      language: a.source.language,
      description: a.description,
      depends_on: [...a.dependsOn],
      tags: [...a.tags],
    })),
    jobs: v.jobs.map((job) => job.name),
    created_at: v.created_at.toISOString(),
  };
}
