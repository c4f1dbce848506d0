import { trimEnd } from '@svc/core/contract';
import { BUCKETS } from '@svc/core/environments';
import { StorageError } from '@svc/iceberg';
import { DOTS } from './own-location.ts';

export type BucketScheme = keyof typeof BUCKETS;

const SHOWN: Record<BucketScheme, string> = {
  s3: 's3://bucket or s3://bucket/prefix',
  gs: 'gs://bucket or gs://bucket/prefix',
  abfss: 'abfss://container@account.dfs.core.windows.net, with a /prefix if you want',
};

/** The scheme of a location in a bucket; null for any other location. */
export function bucketScheme(location: string): BucketScheme | null {
  const scheme = /^([a-z0-9]+):\/\//.exec(location)?.[1] ?? '';
  return Object.hasOwn(BUCKETS, scheme) ? (scheme as BucketScheme) : null;
}

/** @throws StorageError `outside` */
export function bucketOf(scheme: BucketScheme, location: string): { bucket: string; prefix: string } {
  // bounded: the pattern ends before the first slash, and the rest is taken at once.
  const match = new RegExp(`^${scheme}://(${BUCKETS[scheme]})(?:/(.*))?$`).exec(location);
  const prefix = trimEnd(match?.[2] ?? '', '/');
  if (match === null || DOTS.test(prefix) || /[*?[\]{}\0]/.test(prefix))
    throw new StorageError('outside', `The storage location must be ${SHOWN[scheme]}, without * ? [ ] { }.`);
  return { bucket: match[1]!, prefix };
}
