import { trimEnd } from '@svc/core/contract';
import { StorageError } from '@svc/iceberg';
import { DOTS } from './own-location.ts';

/** The forms of a bucket's location: what names the bucket, and the prefix. */
const FORMS = {
  s3: /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/,
  gs: /^gs:\/\/([a-z0-9][a-z0-9._-]{1,220}[a-z0-9])(?:\/(.*))?$/,
  abfss: /^abfss:\/\/([a-z0-9](?:-?[a-z0-9]){2,62}@[a-z0-9]{3,24}\.dfs\.core\.windows\.net)(?:\/(.*))?$/,
} as const;

export type BucketScheme = keyof typeof FORMS;

const SHOWN: Record<BucketScheme, string> = {
  s3: 's3://bucket or s3://bucket/prefix',
  gs: 'gs://bucket or gs://bucket/prefix',
  abfss: 'abfss://container@account.dfs.core.windows.net, with a /prefix if you want',
};

/** The scheme of a location in a bucket; null for any other location. */
export function bucketScheme(location: string): BucketScheme | null {
  const scheme = /^([a-z0-9]+):\/\//.exec(location)?.[1] ?? '';
  return Object.hasOwn(FORMS, scheme) ? (scheme as BucketScheme) : null;
}

/** @throws StorageError `outside` */
export function bucketOf(scheme: BucketScheme, location: string): { bucket: string; prefix: string } {
  const match = FORMS[scheme].exec(location);
  const prefix = trimEnd(match?.[2] ?? '', '/');
  if (match === null || DOTS.test(prefix) || /[*?[\]{}\0]/.test(prefix))
    throw new StorageError('outside', `The storage location must be ${SHOWN[scheme]}, without * ? [ ] { }.`);
  return { bucket: match[1]!, prefix };
}
