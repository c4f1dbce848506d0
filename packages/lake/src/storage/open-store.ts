import { resolve } from 'node:path';
import { openLocalStore } from './local-store.ts';
import type { ObjectStore } from './object-store.ts';
import type { S3Options } from './s3-options.ts';

/** The store at a location as the operator writes it: a folder, its `file://` URL, or `s3://bucket/prefix`. */
export async function openStore(location: string, s3: S3Options): Promise<ObjectStore> {
  if (location.startsWith('s3://')) {
    // Loaded only if needed, because it is large.
    const { openS3Store } = await import('./s3-store.ts');
    return openS3Store(location, s3);
  }
  if (/^[a-z0-9]+:\/\//i.test(location) && !location.startsWith('file://')) {
    throw new Error(`SVC_STORAGE__LOCATION ${location}: name a folder, or s3://bucket/prefix.`);
  }
  return openLocalStore(resolve(location.replace(/^file:\/\//, '')));
}
