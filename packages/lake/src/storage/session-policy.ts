import type { S3Target } from './s3-options.ts';
import type { RequestedObjects } from './signable-request.ts';

/** The longest session policy that AWS accepts, in characters. */
const MAX_LENGTH = 2048;

const ACTIONS: Record<RequestedObjects['access'], readonly string[]> = {
  read: ['s3:GetObject'],
  write: ['s3:PutObject', 's3:AbortMultipartUpload', 's3:ListMultipartUploadParts'],
  remove: ['s3:DeleteObject'],
};

/** Wildcards and variables of policies, and characters that a policy can't contain. */
const INEXPRESSIBLE = /[*?]|\$\{|[^\x20-\x7e]/;

interface Subject {
  /** `s3://bucket/key` of a table's folder. */
  readonly location: string;
  /** A folder around it that may be read as well, or null. */
  readonly reads: string | null;
  readonly access: readonly RequestedObjects['access'][];
  /** ARN of the role whose permissions the policy restricts. */
  readonly role: string;
}

/**
 * A session policy that allows the access to the files below a location, to read those around it if requested, and nothing
 * else. Null if a policy can't express the location or would be too long.
 */
export function sessionPolicy(
  { bucket, endpoint }: S3Target,
  { location, reads, access, role }: Subject,
): string | null {
  const folder = location.slice(`s3://${bucket}/`.length);
  if (folder === '' || location !== `s3://${bucket}/${folder}` || INEXPRESSIBLE.test(folder)) return null;
  const partition = /^arn:(aws[a-z-]*):/.exec(role)?.[1] ?? 'aws';
  const arn = `arn:${partition}:s3:::${bucket}`;
  const allow = (Action: readonly string[], Resource: string, Condition?: object) => ({
    Effect: 'Allow',
    Action,
    Resource,
    ...(Condition === undefined ? {} : { Condition }),
  });
  const readable = reads === null ? folder : reads.slice(`s3://${bucket}/`.length);
  const changes = access.includes('write') || access.includes('remove');
  const Statement = [
    allow(
      access.flatMap((one) => ACTIONS[one]),
      `${arn}/${folder}/*`,
    ),
    ...(reads === null ? [] : [allow(ACTIONS.read, `${arn}/${readable}/*`)]),
    ...(access.includes('read')
      ? [allow(['s3:ListBucket'], arn, { StringLike: { 's3:prefix': `${readable}/*` } })]
      : []),
    // Only the catalog writes metadata files. A replaced one could name another folder as the table's own.
    ...(changes
      ? [{ Effect: 'Deny', Action: ['s3:PutObject', 's3:DeleteObject'], Resource: `${arn}/${folder}/*.metadata.json*` }]
      : []),
    // For buckets that AWS encrypts with a key of the operator; the role decides which keys.
    ...(endpoint === null
      ? [allow(['kms:Decrypt', 'kms:GenerateDataKey'], '*', { StringLike: { 'kms:ViaService': 's3.*' } })]
      : []),
  ];
  const policy = JSON.stringify({ Version: '2012-10-17', Statement });
  return policy.length > MAX_LENGTH ? null : policy;
}
