import { createHash } from 'node:crypto';
import { storageKeys, storageSecretKeys } from '@svc/core/environments';
import { ApiError } from '@svc/core/errors';
import { createCommand, rotateCommand } from '@svc/core/secrets';
import type { Database, Transaction } from '../connection/index.ts';
import { type SealingKeys, unseal } from '../secrets/index.ts';

/** An environment with storage of its own, and the live secret with its credentials; or null. */
export interface OwnStorageRow {
  id: string;
  name: string;
  storage_location: string;
  storage_secret: string | null;
  secret_id: string | null;
  key_id: string | null;
  sealed: Uint8Array | null;
}

/** Opens the credentials of an environment's storage. @throws Error or SealError with the reason if they can't be opened */
function keysOf(row: OwnStorageRow, sealing: SealingKeys) {
  const { id, name, storage_location: location, storage_secret: secret, secret_id, key_id, sealed } = row;
  if (secret === null) return null;
  if (secret_id === null || key_id === null || sealed === null) {
    throw new Error(`its secret ${secret} is gone; create it again: ${createCommand(secret, name, null)}`);
  }
  const bytes = Uint8Array.from(sealed);
  const keys = storageKeys(location, unseal(sealing, { id: secret_id, environmentId: id }, { keyId: key_id, bytes }));
  if (keys !== null) return keys;
  throw new Error(`its secret ${secret} does not hold ${storageSecretKeys(location)}; ${rotateCommand(secret, name)}`);
}

/** The storage as the store uses it. Its credentials are opened only when needed. */
export function ownStorageOf(row: OwnStorageRow, sealing: SealingKeys) {
  const { id, name, storage_location, secret_id, key_id, sealed } = row;
  const version = createHash('sha256')
    .update(`${secret_id} ${key_id} `)
    .update(sealed ?? '');
  return {
    environmentId: id,
    environment: name,
    location: storage_location,
    version: version.digest('hex'),
    keys: () => keysOf(row, sealing),
  };
}

/** Lists environments with storage of their own for the store, including deleted ones that still have files. */
export function ownStorages(db: Database, sealing: SealingKeys) {
  return {
    async locationOf(environmentId: string): Promise<string | null> {
      const rows = await db.prisma.$queryRaw<{ storage_location: string | null }[]>`
        SELECT storage_location FROM environments WHERE id = ${environmentId}::uuid`;
      return rows[0]?.storage_location ?? null;
    },
    async all() {
      const rows = await db.prisma.$queryRaw<OwnStorageRow[]>`
        SELECT e.id, e.name, e.storage_location, e.storage_secret, s.id AS secret_id, s.key_id, s.sealed
        FROM environments e LEFT JOIN secrets s
          ON s.environment_id = e.id AND s.name = e.storage_secret AND s.revoked_at IS NULL
        WHERE e.storage_location IS NOT NULL AND e.purged_at IS NULL ORDER BY e.name`;
      return rows.map((row) => ownStorageOf(row, sealing));
    },
  };
}

/** Locations of the storage of other environments. */
export async function storagesOfOthers(
  client: Transaction,
  environmentId: string,
): Promise<{ name: string; location: string }[]> {
  return client.$queryRaw<{ name: string; location: string }[]>`
    SELECT name, storage_location AS location FROM environments
    WHERE storage_location IS NOT NULL AND purged_at IS NULL AND id <> ${environmentId}::uuid ORDER BY name`;
}

/** An object with files in the environment's storage. */
export interface StoredObject {
  kind: string;
  name: string;
  dropped: boolean;
}

/** Location and secret name of an environment's storage. */
export interface StorageNames {
  storage_location: string | null;
  storage_secret: string | null;
}

/**
 * Locks an environment's storage settings exclusively: tables are created and secrets revoked only after the commit.
 */
export async function lockStorageForUpdate(client: Transaction, environmentId: string): Promise<StorageNames | null> {
  const rows = await client.$queryRaw<StorageNames[]>`
    SELECT storage_location, storage_secret FROM environments
    WHERE id = ${environmentId}::uuid AND deleted_at IS NULL FOR UPDATE`;
  return rows[0] ?? null;
}

/** The secret of an environment's storage, locked until the transaction commits; or null. */
export async function lockStorageSecretForShare(client: Transaction, environmentId: string): Promise<string | null> {
  const rows = await client.$queryRaw<{ storage_secret: string | null }[]>`
    SELECT storage_secret FROM environments WHERE id = ${environmentId}::uuid FOR SHARE`;
  return rows[0]?.storage_secret ?? null;
}

/**
 * Finds an object with files in the environment's storage: a table or artifact (dropped ones too, until their files are
 * deleted), a view with a metadata file, or a table that is being created. Returns null if there are no files.
 *
 * @param root the current root folder of new tables
 */
export async function findStoredObject(
  client: Transaction,
  { environmentId, root }: { environmentId: string; root: string },
): Promise<StoredObject | null> {
  const rows = await client.$queryRaw<StoredObject[]>`
    (SELECT t.kind, n.path || '.' || t.name AS name, t.dropped_at IS NOT NULL AS dropped
     FROM tables t JOIN namespaces n ON n.id = t.namespace_id
     WHERE t.environment_id = ${environmentId}::uuid AND t.purged_at IS NULL AND t.kind <> 'external'
       AND (t.kind <> 'view' OR t.metadata_location IS NOT NULL)
     ORDER BY t.dropped_at IS NOT NULL, 2 LIMIT 1)
    UNION ALL
    (SELECT 'creation', location, false FROM table_creations
     WHERE starts_with(location, ${`${root}/tables/${environmentId}/`}) LIMIT 1)
    LIMIT 1`;
  return rows[0] ?? null;
}

/**
 * Locks an environment's storage location until the transaction commits.
 *
 * @param storage the location to which the file was written that is about to be referenced
 * @throws ApiError `write-conflict` if the location changed since
 */
export async function lockStorageForShare(
  client: Transaction,
  { environmentId, storage }: { environmentId: string; storage: string | null },
): Promise<void> {
  const rows = await client.$queryRaw<{ storage_location: string | null }[]>`
    SELECT storage_location FROM environments WHERE id = ${environmentId}::uuid FOR SHARE`;
  if (rows[0]?.storage_location !== storage) throw storageMoved();
}

export function storageMoved(): ApiError {
  return new ApiError(
    'write-conflict',
    "The environment's storage location was changed by another request. Nothing was changed. Try again.",
  );
}
