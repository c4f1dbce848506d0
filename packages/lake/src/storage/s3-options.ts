import { join } from 'node:path';
import { parseBytes, type Settings } from '@svc/core/settings';
import { FileCache } from './file-cache.ts';

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Where an S3-compatible store is and how it is reached. */
export interface S3Options {
  /** Null: AWS's own for the region. */
  readonly endpoint: string | null;
  readonly region: string;
  /** `endpoint/bucket/key` in place of `bucket.endpoint/key`. */
  readonly pathStyle: boolean;
  /** Null: those that the AWS SDK finds (environment, profile, instance role). */
  readonly credentials: S3Credentials | null;
  /** Folder of this machine for copies of objects and for files that are being written. */
  readonly cacheDir: string;
  /** Bytes of copies. */
  readonly cacheLimit: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Milliseconds without a byte after which a request is given up and made again; 60,000 when left out. */
  readonly silentMs?: number;
  /** Tries of one request; 5 when left out. */
  readonly tries?: number;
  /** Copies that several stores of this process share; the store's own, in `cacheDir`, when left out. */
  readonly cache?: FileCache;
}

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
