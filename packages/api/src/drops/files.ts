import { ApiError } from '@svc/core/errors';
import type { StoredDrop } from '@svc/db/drops';
import {
  checkSnapshot,
  FileExistenceCheck,
  type SnapshotCheck,
  type TableMetadata,
  UnsupportedTableError,
} from '@svc/iceberg';
import type { ObjectStore } from '@svc/lake/storage';
import { readMetadata } from '../tables/metadata.ts';

type Restored = Pick<StoredDrop, 'kind' | 'name' | 'namespace' | 'location' | 'metadataLocation'>;

/** Files checked before a restore; the rest of a larger table is assumed to exist. */
const MAX_CHECKED = 20_000;
/** Older versions tried when the current one is incomplete. */
const MAX_VERSIONS = 10;
const SHOWN = 5;

/** @throws ApiError `files-gone` if files that the restore needs were deleted outside the service */
export async function requireFiles(store: ObjectStore, drop: Restored): Promise<void> {
  const { kind, location, metadataLocation } = drop;
  if (kind === 'artifact') {
    if (location === null || (await store.stat(location)) === null) throw allFilesMissing(drop);
    return;
  }
  if (metadataLocation === null || (await store.stat(metadataLocation)) === null) throw allFilesMissing(drop);
  const check = new FileExistenceCheck(store, MAX_CHECKED);
  const metadata = await readMetadata(store, metadataLocation);
  const found = await checkReadable(check, store, metadata);
  if (found.missing.length > 0) throw someFilesMissing(drop, found, await wholeVersion(check, store, metadata));
}

/** Metadata that the service can't read can't be checked: such a table is restored as it was dropped. */
async function checkReadable(
  check: FileExistenceCheck,
  store: ObjectStore,
  metadata: TableMetadata,
): Promise<SnapshotCheck> {
  try {
    return await checkSnapshot(check, store, metadata);
  } catch (error) {
    if (error instanceof UnsupportedTableError) return { missing: [], checked: 0 };
    throw error;
  }
}

/** The latest older version of the table that has all its files. */
async function wholeVersion(
  check: FileExistenceCheck,
  store: ObjectStore,
  metadata: TableMetadata,
): Promise<Version | null> {
  const versions = metadata['metadata-log'].slice(-MAX_VERSIONS).reverse();
  for (const { 'metadata-file': file, 'timestamp-ms': time } of versions) {
    if ((await check.missing([file])).length > 0) continue;
    const older = await readMetadata(store, file);
    if ((await checkReadable(check, store, older)).missing.length === 0) return { file, time: new Date(time) };
  }
  return null;
}

interface Version {
  readonly file: string;
  readonly time: Date;
}

function allFilesMissing({ namespace, name, location }: Restored): ApiError {
  return new ApiError(
    'files-gone',
    `The files of ${namespace}.${name} are missing from ${location ?? 'storage'}: something other than svc deleted them. Restore them from a backup of the storage and undrop the table again, or create a new table.`,
  );
}

function someFilesMissing(
  { namespace, name, location }: Restored,
  found: SnapshotCheck,
  restorable: Version | null,
): ApiError {
  const inFolder = (file: string) =>
    location !== null && file.startsWith(`${location}/`) ? file.slice(location.length + 1) : file;
  const shown = found.missing.slice(0, SHOWN).map(inFolder).join(', ');
  const more = found.missing.length > SHOWN ? ` and ${found.missing.length - SHOWN} more` : '';
  const older =
    restorable === null
      ? 'No earlier version of the table is intact.'
      : `Its version of ${restorable.time.toISOString()} is whole: to restore that one, register its metadata file ${restorable.file} through the catalog interface.`;
  return new ApiError(
    'files-gone',
    `${found.missing.length} of ${found.checked} files of ${namespace}.${name} are missing from ${location ?? 'storage'}: ${shown}${more}. Something other than svc deleted them. Restore them from a backup of the storage and undrop the table again. ${older}`,
  );
}
