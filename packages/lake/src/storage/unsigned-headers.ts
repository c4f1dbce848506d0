import { DeleteObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { isCode } from './bucket-error.ts';
import type { S3Target } from './s3-options.ts';

/** A request to the store before it is sent. */
interface Sent {
  readonly headers: Record<string, string>;
}

/**
 * Whether the store refuses requests with headers of its own that their signature doesn't cover, as AWS does. Otherwise, an engine could add
 * `x-amz-copy-source` to a signed request for a new file, and copy any file that svc's key reads.
 *
 * @param key of an object that doesn't exist: a store that accepts the header finds nothing to copy
 */
export async function refusesUnsignedHeaders(
  client: S3Client,
  { bucket, endpoint }: Pick<S3Target, 'bucket' | 'endpoint'>,
  key: string,
): Promise<boolean> {
  if (endpoint === null) return true;
  const command = new PutObjectCommand({ Bucket: bucket, Key: key, Body: Buffer.from('probe'), IfNoneMatch: '*' });
  const source = [bucket, ...key.split('/')].map(encodeURIComponent).join('/');
  command.middlewareStack.add(
    (next) => (args) => {
      // The request is signed already.
      (args.request as Sent).headers['x-amz-copy-source'] = source;
      return next(args);
    },
    { step: 'deserialize', name: 'unsignedHeader' },
  );
  try {
    await client.send(command);
  } catch (error) {
    if (isCode(error, 400, 401, 403, 404, 405, 409, 412, 501)) return isCode(error, 401, 403);
    throw error;
  }
  // A store that ignores the header has created the object.
  await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
  return false;
}
