import { S3Client } from '@aws-sdk/client-s3';
import type { S3Options } from './s3-options.ts';

/** Attempts of one request, with increasing pauses between them. */
const MAX_ATTEMPTS = 5;
const CONNECT_MS = 10_000;
/** A store that sends nothing for this long is considered dead, and the request is retried. */
const IDLE_TIMEOUT_MS = 60_000;

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

/** Whether the store responded with one of these status codes. */
export function isCode(error: unknown, ...statuses: readonly number[]): boolean {
  const status = (error as { $metadata?: { httpStatusCode?: number } } | null)?.$metadata?.httpStatusCode;
  return status !== undefined && statuses.includes(status);
}

const BROKEN = new WeakSet<object>();

/** Marks a truncated response as the client marks its errors, because it is the bucket's failure. */
export function markBroken(error: Error): void {
  if ('$metadata' in error) return;
  BROKEN.add(error);
  Object.assign(error, { $metadata: {} });
}

/** Retries a read whose response was truncated; the client itself retries failed requests. */
export async function readAgain<T>(read: () => Promise<T>): Promise<T> {
  for (let time = 1; ; time++) {
    try {
      return await read();
    } catch (error) {
      if (!BROKEN.has(error as object) || time === MAX_ATTEMPTS) throw error;
    }
  }
}
