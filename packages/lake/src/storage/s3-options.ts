import { join } from 'node:path';
import { parseBytes, type Settings } from '@svc/core/settings';
import { FileCache } from './file-cache.ts';
import type { S3Options } from './s3-store.ts';

/** How a bucket is reached, by the operator's settings; copies of its objects lie in the home. */
export function s3Options(settings: Settings, home: string, clock: () => number): S3Options {
  const { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = settings;
  const cacheDir = join(home, 'cache');
  const cacheLimit = parseBytes(settings.storageCacheLimit);
  return {
    endpoint: settings.s3Endpoint ?? null,
    region: settings.s3Region,
    pathStyle: settings.s3PathStyle,
    credentials: accessKeyId !== undefined && secretAccessKey !== undefined ? { accessKeyId, secretAccessKey } : null,
    cacheDir,
    cacheLimit,
    cache: new FileCache({ dir: join(cacheDir, 'objects'), limit: cacheLimit, clock }),
    clock,
  };
}
