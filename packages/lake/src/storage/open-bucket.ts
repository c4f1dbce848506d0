import { AZURE } from './azure-options.ts';
import { GOOGLE } from './google-options.ts';
import { bucketScheme } from './locations.ts';
import type { ObjectStore } from './object-store.ts';
import type { StorageOptions } from './storage-options.ts';

/** The store in a bucket. Each client is loaded only if needed, because they are large. @throws StorageError `outside` */
export async function openBucket(location: string, options: StorageOptions): Promise<ObjectStore> {
  const { google = GOOGLE, azure = AZURE } = options;
  switch (bucketScheme(location)) {
    case 'gs':
      return (await import('./google-store.ts')).openGoogleStore(location, options, google);
    case 'abfss':
      return (await import('./azure-store.ts')).openAzureStore(location, options, azure);
    default:
      return (await import('./s3-store.ts')).openS3Store(location, options);
  }
}
