import type { Environment, MaintenanceRule } from '@svc/core/environments';
import { ApiError } from '@svc/core/errors';
import type { OwnQuotas } from '@svc/core/quotas';
import type { Transaction } from '../connection/index.ts';

export interface StoredEnvironment {
  id: string;
  name: string;
  protected: boolean;
  description: string | null;
  retention_days: number | null;
  maintain_compact: boolean;
  maintain_expire_days: number | null;
  storage_location: string | null;
  storage_secret: string | null;
  quota_storage_bytes: bigint | number | null;
  quota_concurrent_queries: number | null;
  created_at: Date;
  deleted_at: Date | null;
  purge_after: Date | null;
}

export function environmentRecord(row: Omit<StoredEnvironment, keyof OwnQuotas>): Environment {
  return {
    id: row.id,
    name: row.name,
    protected: row.protected,
    description: row.description,
    retention_days: row.retention_days,
    maintenance: maintenanceOf(row),
    storage_location: row.storage_location,
    storage_secret: row.storage_secret,
    created_at: row.created_at.toISOString(),
    deleted_at: row.deleted_at?.toISOString() ?? null,
    purge_after: row.purge_after?.toISOString() ?? null,
  };
}

function maintenanceOf(
  row: Pick<StoredEnvironment, 'maintain_compact' | 'maintain_expire_days'>,
): MaintenanceRule | null {
  const { maintain_compact: compact, maintain_expire_days: days } = row;
  return compact || days !== null ? { compact, expire_snapshots_older_than_days: days } : null;
}

/** Creates an environment. The name of a deleted one stays taken until its files are removed (ENV-3). */
export async function createEnvironment(
  client: Transaction,
  e: { id: string; name: string; protected: boolean; description: string | null; createdBy: string; now: Date },
): Promise<Environment> {
  const rows = await client.$queryRaw<{ id: string }[]>`
    INSERT INTO environments (id, name, protected, description, created_at, created_by)
    VALUES (${e.id}::uuid, ${e.name}, ${e.protected}, ${e.description}, ${e.now}, ${e.createdBy}::uuid)
    ON CONFLICT (name) WHERE purged_at IS NULL DO NOTHING RETURNING id`;
  if (rows.length === 1) {
    const storage = { storage_location: null, storage_secret: null };
    const none = { retention_days: null, maintain_compact: false, maintain_expire_days: null, ...storage };
    return environmentRecord({ ...e, ...none, created_at: e.now, deleted_at: null, purge_after: null });
  }
  const namesake = await client.environment.findFirst({ where: { name: e.name, purged_at: null } });
  if (namesake?.deleted_at == null) {
    throw new ApiError('already-exists', `An environment named ${e.name} already exists. Choose another name.`);
  }
  const message = `A deleted environment holds the name ${e.name} until its files are gone.`;
  if (namesake.purge_requested || namesake.purge_after === null || namesake.purge_after <= e.now)
    throw new ApiError(
      'name-held-by-deleted',
      `${message} The next clean-up frees it; until then choose another name.`,
    );
  const remedy = `svc env restore ${e.name}`;
  throw new ApiError(
    'name-held-by-deleted',
    `${message} Restore it (${remedy}), delete it for good (svc env delete ${e.name} --purge), or choose another name.`,
    { remedy },
  );
}

/** Lists live or deleted environments by name. */
export async function listEnvironments(client: Transaction, { deleted }: { deleted: boolean }): Promise<Environment[]> {
  const rows = await client.environment.findMany({
    where: { purged_at: null, deleted_at: deleted ? { not: null } : null },
    orderBy: { name: 'asc' },
  });
  return rows.map(environmentRecord);
}

export async function getEnvironment(client: Transaction, id: string): Promise<Environment> {
  return environmentRecord(await client.environment.findUniqueOrThrow({ where: { id } }));
}

export async function updateEnvironment(
  client: Transaction,
  {
    id,
    protected: isProtected,
    description,
    maintenance,
    storage_location,
    storage_secret,
  }: {
    id: string;
    protected?: boolean | undefined;
    description?: string | null | undefined;
    maintenance?: MaintenanceRule | null | undefined;
    storage_location?: string | null | undefined;
    storage_secret?: string | null | undefined;
  },
): Promise<Environment> {
  const data = {
    ...(isProtected === undefined ? {} : { protected: isProtected }),
    ...(description === undefined ? {} : { description }),
    ...(maintenance === undefined
      ? {}
      : {
          maintain_compact: maintenance?.compact ?? false,
          maintain_expire_days: maintenance?.expire_snapshots_older_than_days ?? null,
        }),
    ...(storage_location === undefined ? {} : { storage_location }),
    ...(storage_secret === undefined ? {} : { storage_secret }),
  };
  return environmentRecord(await client.environment.update({ where: { id }, data }));
}

/** Finds an environment by name; deleted ones only on request. */
export async function findEnvironment(
  client: Transaction,
  name: string,
  options: { includeDeleted?: boolean } = {},
): Promise<StoredEnvironment | null> {
  const activeOnly = options.includeDeleted ? {} : { deleted_at: null };
  return client.environment.findFirst({ where: { name, purged_at: null, ...activeOnly } });
}

/** Finds an environment by id; deleted ones only on request. */
export async function findEnvironmentById(
  client: Transaction,
  id: string,
  options: { includeDeleted?: boolean } = {},
): Promise<StoredEnvironment | null> {
  const row = await client.environment.findUnique({ where: { id } });
  return row === null || (row.deleted_at !== null && !options.includeDeleted) ? null : row;
}

/** Returns those of the environments that are deleted. */
export async function filterDeletedEnvironments(client: Transaction, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await client.environment.findMany({
    where: { id: { in: [...ids] }, deleted_at: { not: null } },
    select: { id: true },
  });
  return new Set(rows.map(({ id }) => id));
}
