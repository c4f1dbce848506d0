import { Problem } from '@svc/core/errors';
import type { StoredDrop } from '@svc/db/drops';
import type { ObjectStore } from '@svc/lake/storage';
import { snapshotOfRef } from '@svc/lake/tables';
import { readMetadata } from '../tables/metadata.ts';

/** @throws Problem `files-gone` when something other than the service deleted what a restore would bring back */
export async function requireFiles(store: ObjectStore, drop: StoredDrop): Promise<void> {
  if (await present(store, drop)) return;
  throw new Problem(
    'files-gone',
    `The files of ${drop.namespace}.${drop.name} are gone from ${drop.location ?? 'storage'}: something other than this service deleted them. Bring them back from a backup of the storage and restore again, or create the table anew.`,
  );
}

/** Looks at the files that lead to the others: the cost does not grow with the table. */
async function present(store: ObjectStore, { kind, location, metadataLocation }: StoredDrop): Promise<boolean> {
  if (kind === 'artifact') return location !== null && (await store.stat(location)) !== null;
  if (metadataLocation === null || (await store.stat(metadataLocation)) === null) return false;
  const snapshot = snapshotOfRef(await readMetadata(store, metadataLocation), 'main');
  return snapshot === null || (await store.stat(snapshot['manifest-list'])) !== null;
}
