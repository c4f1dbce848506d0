import { S3Client } from '@aws-sdk/client-s3';
import { IDLE_TIMEOUT_MS, MAX_ATTEMPTS } from './bucket-client.ts';
import type { S3Options } from './s3-options.ts';

const CONNECT_MS = 10_000;

export function openS3Client({ region, pathStyle, endpoint, credentials, ...timeouts }: S3Options): S3Client {
  const { idleTimeoutMs = IDLE_TIMEOUT_MS, maxAttempts = MAX_ATTEMPTS } = timeouts;
  return new S3Client({
    region,
    forcePathStyle: pathStyle,
    maxAttempts,
    requestHandler: { connectionTimeout: Math.min(CONNECT_MS, idleTimeoutMs), socketTimeout: idleTimeoutMs },
    ...(endpoint === null ? {} : { endpoint }),
    ...(credentials === null ? {} : { credentials }),
  });
}
