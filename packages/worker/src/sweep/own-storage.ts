import { instanceId } from '@svc/db/instance';
import { StorageError } from '@svc/iceberg';
import type { WorkerDeps } from '../work/deps.ts';

/** The file in the storage that has the id of the database whose files are stored there. */
const NAME = 'instance-id';
const MAX_BYTES = 1024;

/**
 * Whether the files in the storage are those of this database. The first database that sweeps a storage marks it. Without the mark, a service
 * with a new database would remove the files of another one, because it has no record of them.
 */
export async function ownsStorage({
  db,
  store,
  newId,
  log,
}: Pick<WorkerDeps, 'db' | 'store' | 'newId' | 'log'>): Promise<boolean> {
  const id = await instanceId(db.prisma, newId);
  const location = `${store.root}/${NAME}`;
  const found = await markOf(store, location, id);
  if (found === id) return true;
  log.warn(
    { file: location, found, expected: id },
    'The storage belongs to another database, so the sweep removes nothing. Set SVC_STORAGE__LOCATION to another folder or prefix, or delete this file if no other service uses the storage',
  );
  return false;
}

/** The id in the storage, which is `id` if there was none. It is read first, because some buckets overwrite what exists. */
async function markOf(store: WorkerDeps['store'], location: string, id: string): Promise<string> {
  const read = async () => (await store.read(location, MAX_BYTES)).toString().trim();
  try {
    return await read();
  } catch (error) {
    if (!isStorageError(error, 'missing')) throw error;
  }
  try {
    await store.write(location, Buffer.from(`${id}\n`));
  } catch (error) {
    if (!isStorageError(error, 'exists')) throw error;
  }
  return read();
}

const isStorageError = (error: unknown, reason: StorageError['reason']): boolean =>
  error instanceof StorageError && error.reason === reason;
