import { createHash } from 'node:crypto';
import { STORAGE_SECRET_KEYS, storageKeys } from '@svc/core/environments';
import { Problem } from '@svc/core/errors';
import { createCommand, rotateCommand } from '@svc/core/secrets';
import type { Database, Transaction } from '../connection/index.ts';
import { type SealingKeys, unseal } from '../secrets/index.ts';

/** An environment with storage of its own, and the live secret that opens it; null where there is none. */
export interface OwnStorageRow {
  id: string;
  name: string;
  storage_location: string;
  storage_secret: string | null;
  secret_id: string | null;
  key_id: string | null;
  sealed: Uint8Array | null;
}

/** The keys of an environment's storage. @throws Error, SealError telling people why there are none */
function keysOf(row: OwnStorageRow, sealing: SealingKeys) {
  const { id, name, storage_secret: secret, secret_id, key_id, sealed } = row;
  if (secret === null) return null;
  if (secret_id === null || key_id === null || sealed === null) {
    throw new Error(`its secret ${secret} is gone; create it again: ${createCommand(secret, name, null)}`);
  }
  const bytes = Uint8Array.from(sealed);
  const keys = storageKeys(unseal(sealing, { id: secret_id, environmentId: id }, { keyId: key_id, bytes }));
  if (keys !== null) return keys;
  throw new Error(`its secret ${secret} does not hold ${STORAGE_SECRET_KEYS}; ${rotateCommand(secret, name)}`);
}

/** What the store knows of it; its keys are opened when they are needed. */
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

/** What the store asks of environments with storage of their own, deleted ones that have files still included. */
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

/** Locations of other environments' own storage. */
export async function storagesOfOthers(
  client: Transaction,
  environmentId: string,
): Promise<{ name: string; location: string }[]> {
  return client.$queryRaw<{ name: string; location: string }[]>`
    SELECT name, storage_location AS location FROM environments
    WHERE storage_location IS NOT NULL AND purged_at IS NULL AND id <> ${environmentId}::uuid ORDER BY name`;
}

/** Something of an environment that lies in its storage; null when nothing does. */
export interface StoredThing {
  kind: string;
  name: string;
  dropped: boolean;
}

/** Where an environment's tables lie, and by which secret. */
export interface StorageNames {
  storage_location: string | null;
  storage_secret: string | null;
}

/** Keeps what an environment's storage is to this transaction alone: tables come into being and secrets end after it. */
export async function takeStorage(client: Transaction, environmentId: string): Promise<StorageNames | null> {
  const rows = await client.$queryRaw<StorageNames[]>`
    SELECT storage_location, storage_secret FROM environments
    WHERE id = ${environmentId}::uuid AND deleted_at IS NULL FOR UPDATE`;
  return rows[0] ?? null;
}

/** The secret of an environment's storage, which it stays until the transaction ends; null for none. */
export async function keepStorageSecret(client: Transaction, environmentId: string): Promise<string | null> {
  const rows = await client.$queryRaw<{ storage_secret: string | null }[]>`
    SELECT storage_secret FROM environments WHERE id = ${environmentId}::uuid FOR SHARE`;
  return rows[0]?.storage_secret ?? null;
}

/**
 * The first thing of an environment that lies in storage, null for none: a table or an artifact, dropped ones too until
 * their files are deleted, a view with a metadata file, or a table that is being created.
 *
 * @param root below which its new tables go as yet
 */
export async function findStored(
  client: Transaction,
  { environmentId, root }: { environmentId: string; root: string },
): Promise<StoredThing | null> {
  const rows = await client.$queryRaw<StoredThing[]>`
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
 * Keeps an environment's storage location as it is until the transaction ends.
 *
 * @param storage what it was when the file that is about to be named was written
 * @throws Problem `write-conflict` when it is another one meanwhile
 */
export async function keepStorage(
  client: Transaction,
  { environmentId, storage }: { environmentId: string; storage: string | null },
): Promise<void> {
  const rows = await client.$queryRaw<{ storage_location: string | null }[]>`
    SELECT storage_location FROM environments WHERE id = ${environmentId}::uuid FOR SHARE`;
  if (rows[0]?.storage_location !== storage) throw storageMoved();
}

export function storageMoved(): Problem {
  return new Problem(
    'write-conflict',
    "The environment's storage location was changed meanwhile. Nothing was changed; try again.",
  );
}
