import { shellCommand } from '@svc/core/command-lines';
import { ApiError } from '@svc/core/errors';
import type { Repository } from '@svc/core/repositories';
import type { Transaction } from '../connection/index.ts';

interface StoredRepository extends Omit<Repository, 'created_at' | 'updated_at'> {
  created_at: Date;
  updated_at: Date;
}

const repositoryRecord = (row: StoredRepository): Repository => ({
  id: row.id,
  name: row.name,
  url: row.url,
  default_ref: row.default_ref,
  folder: row.folder,
  credential_secret: row.credential_secret,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

export interface RepositorySettings {
  url: string | null;
  default_ref: string | null;
  folder: string | null;
  credential_secret: string | null;
}

export async function createRepository(
  client: Transaction,
  r: RepositorySettings & { id: string; name: string; createdBy: string; now: Date },
): Promise<Repository> {
  const rows = await client.$queryRaw<{ id: string }[]>`
    INSERT INTO repositories (id, name, url, default_ref, folder, credential_secret, created_at, created_by, updated_at)
    VALUES (${r.id}::uuid, ${r.name}, ${r.url}, ${r.default_ref}, ${r.folder}, ${r.credential_secret}, ${r.now},
            ${r.createdBy}::uuid, ${r.now})
    ON CONFLICT (name) WHERE deleted_at IS NULL DO NOTHING RETURNING id`;
  if (rows.length === 0)
    throw new ApiError('already-exists', `A repository named ${r.name} already exists. Choose another name.`);
  return repositoryRecord({ ...r, created_at: r.now, updated_at: r.now });
}

export async function findRepository(client: Transaction, name: string): Promise<Repository | null> {
  const row = await client.repository.findFirst({ where: { name, deleted_at: null } });
  return row && repositoryRecord(row);
}

/** Finds a repository and locks it until the transaction commits, so that what is checked against it stays true. */
export async function lockRepository(client: Transaction, name: string): Promise<Repository | null> {
  // NO KEY: requests that only store a reference to the row don't wait.
  const [row] = await client.$queryRaw<StoredRepository[]>`
    SELECT * FROM repositories WHERE name = ${name} AND deleted_at IS NULL FOR NO KEY UPDATE`;
  return row === undefined ? null : repositoryRecord(row);
}

export async function listRepositories(client: Transaction): Promise<Repository[]> {
  const rows = await client.repository.findMany({ where: { deleted_at: null }, orderBy: { name: 'asc' } });
  return rows.map(repositoryRecord);
}

export async function updateRepository(
  client: Transaction,
  { id, changes, now }: { id: string; changes: Partial<RepositorySettings>; now: Date },
): Promise<Repository> {
  return repositoryRecord(await client.repository.update({ where: { id }, data: { ...changes, updated_at: now } }));
}

/** Locks a repository against removal until the transaction commits. @throws ApiError `not-found` */
export async function lockRepositoryForShare(client: Transaction, id: string): Promise<void> {
  const rows = await client.$queryRaw<{ id: string }[]>`
    SELECT id FROM repositories WHERE id = ${id}::uuid AND deleted_at IS NULL FOR SHARE`;
  if (rows.length === 0) throw new ApiError('not-found', 'The repository was removed while this request ran.');
}

/** Removes a repository without deployments. */
export async function removeRepository(
  client: Transaction,
  { id, name, by, now }: { id: string; name: string; by: string; now: Date },
): Promise<void> {
  // Waits for a deploy that is finishing.
  const live = await client.$queryRaw<{ id: string }[]>`
    SELECT id FROM repositories WHERE id = ${id}::uuid AND deleted_at IS NULL FOR UPDATE`;
  if (live.length === 0) throw new ApiError('not-found', `There is no repository ${name}. It was removed just now.`);
  const rows = await client.$queryRaw<{ environment: string; deleted: boolean; purge_requested: boolean }[]>`
    SELECT e.name AS environment, e.deleted_at IS NOT NULL AS deleted, e.purge_requested
    FROM deployments d JOIN environments e ON e.id = d.environment_id
    WHERE d.repository_id = ${id}::uuid AND d.ended_at IS NULL ORDER BY e.deleted_at NULLS FIRST, e.name LIMIT 1`;
  if (rows[0]) {
    const { environment, deleted, purge_requested } = rows[0];
    // Nothing can be undeployed there.
    if (deleted)
      throw new ApiError(
        'in-use',
        `The repository ${name} is deployed in the deleted environment ${environment}. ${
          purge_requested
            ? 'Remove it after the next clean-up, which frees it.'
            : `Restore the environment (svc env restore ${environment}) and undeploy it there, or delete the environment for good (svc env delete ${environment} --purge).`
        }`,
      );
    throw new ApiError(
      'in-use',
      `The repository ${name} is deployed in environment ${environment}. Undeploy it first.`,
      {
        remedy: shellCommand('svc undeploy', name, [`--env ${environment}`]),
      },
    );
  }
  await client.repository.update({ where: { id }, data: { deleted_at: now, deleted_by: by } });
}
