import { type OwnStorageRow, ownStorageOf } from '@svc/db/environments';
import type { SealingKeys } from '@svc/db/secrets';
import type { OwnStorages } from '@svc/lake/storage';
import { type Manifest, rowsOf } from './contents.ts';

interface EnvironmentRow {
  id: string;
  name: string;
  storage_location?: string | null;
  storage_secret?: string | null;
  purged_at: string | null;
}

interface SecretRow {
  id: string;
  environment_id: string;
  name: string;
  key_id: string;
  /** `\x` and hexadecimal digits. */
  sealed: string;
  revoked_at: string | null;
}

/** The environments' own storage according to the backup's rows: the database is still empty. */
export async function storagesIn(folder: string, manifest: Manifest, sealing: SealingKeys): Promise<OwnStorages> {
  const rows = new Map<string, OwnStorageRow>();
  for await (const line of rowsOf(folder, manifest, 'environments')) {
    const { id, name, storage_location, storage_secret = null, purged_at } = JSON.parse(line) as EnvironmentRow;
    if (storage_location == null || purged_at !== null) continue;
    rows.set(id, { id, name, storage_location, storage_secret, secret_id: null, key_id: null, sealed: null });
  }
  for await (const line of rowsOf(folder, manifest, 'secrets')) {
    const { id, environment_id, name, key_id, sealed, revoked_at } = JSON.parse(line) as SecretRow;
    const row = rows.get(environment_id);
    if (row?.storage_secret !== name || revoked_at !== null) continue;
    rows.set(environment_id, { ...row, secret_id: id, key_id, sealed: Buffer.from(sealed.slice(2), 'hex') });
  }
  const all = [...rows.values()].map((row) => ownStorageOf(row, sealing));
  return {
    locationOf: async (environmentId) => rows.get(environmentId)?.storage_location ?? null,
    all: async () => all,
  };
}
