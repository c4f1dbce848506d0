import { S3Client } from '@aws-sdk/client-s3';
import { IDLE_TIMEOUT_MS, MAX_ATTEMPTS } from './bucket-client.ts';
import type { S3Options } from './s3-options.ts';

const CONNECT_MS = 10_000;

export function openS3Client(options: S3Options): S3Client {
  const { idleTimeoutMs = IDLE_TIMEOUT_MS } = options;
  return clientWith(options, { socketTimeout: idleTimeoutMs });
}

/**
 * For reading objects: only the response must start in time. While a reader pauses, no data moves either, so the body has
 * its own timeout (`wholeBody`), and any number of paused readers may occupy a connection.
 */
export function openS3Reader(options: S3Options): S3Client {
  const { idleTimeoutMs = IDLE_TIMEOUT_MS } = options;
  const unlimited = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY };
  const timeouts = { socketTimeout: 0, requestTimeout: idleTimeoutMs, throwOnRequestTimeout: true };
  return clientWith(options, { ...timeouts, httpAgent: unlimited, httpsAgent: unlimited });
}

function clientWith(
  { region, pathStyle, endpoint, credentials, idleTimeoutMs = IDLE_TIMEOUT_MS, maxAttempts = MAX_ATTEMPTS }: S3Options,
  requestHandler: object,
): S3Client {
  return new S3Client({
    region,
    forcePathStyle: pathStyle,
    maxAttempts,
    requestHandler: { connectionTimeout: Math.min(CONNECT_MS, idleTimeoutMs), ...requestHandler },
    ...(endpoint === null ? {} : { endpoint }),
    ...(credentials === null ? {} : { credentials }),
  });
}
