import { resolve } from 'node:path';
import { openLocalStore } from './local-store.ts';
import { bucketScheme } from './locations.ts';
import type { ObjectStore } from './object-store.ts';
import { openBucket } from './open-bucket.ts';
import type { StorageOptions } from './storage-options.ts';

/** The store at a location as the operator writes it: a folder, its `file://` URL, or the location of a bucket. */
export async function openStore(location: string, options: StorageOptions): Promise<ObjectStore> {
  if (bucketScheme(location) !== null) return openBucket(location, options);
  if (/^[a-z0-9]+:\/\//i.test(location) && !location.startsWith('file://')) {
    const buckets = 's3://bucket/prefix, gs://bucket/prefix, or abfss://container@account.dfs.core.windows.net/prefix';
    throw new Error(`SVC_STORAGE__LOCATION ${location}: name a folder, ${buckets}.`);
  }
  return openLocalStore(resolve(location.replace(/^file:\/\//, '')));
}
