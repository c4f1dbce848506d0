import { join } from 'node:path';
import { parseBytes, type Settings } from '@svc/core/settings';
import { type AzureConnection, azureConnection } from './azure-options.ts';
import { FileCache, objectsIn } from './file-cache.ts';
import { type GoogleConnection, googleConnection } from './google-options.ts';
import { type S3Options, s3Connection } from './s3-options.ts';

/** How to reach buckets: of S3, and of the other providers (default: with the credentials of the machine). */
export interface StorageOptions extends S3Options {
  readonly google?: GoogleConnection;
  readonly azure?: AzureConnection;
}

/** The options from the operator's settings; copies of objects are cached in the home folder. */
export function storageOptions(settings: Settings, home: string, clock: () => number): StorageOptions {
  const cacheDir = join(home, 'cache');
  const cacheLimit = parseBytes(settings.storageCacheLimit);
  return {
    ...s3Connection(settings),
    google: googleConnection(settings),
    azure: azureConnection(settings),
    cacheDir,
    cacheLimit,
    // A query opens a file when it reaches it.
    cache: new FileCache({
      dir: objectsIn(cacheDir),
      limit: cacheLimit,
      clock,
      inUseMs: settings.queryTimeoutSeconds * 1000,
    }),
    clock,
  };
}
