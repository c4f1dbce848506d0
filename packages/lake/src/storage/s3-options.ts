import type { Settings } from '@svc/core/settings';
import type { BucketOptions } from './bucket-client.ts';

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** The service that issues temporary credentials for the bucket (AWS STS or a compatible one). */
export interface StsOptions {
  /** ARN of the role whose permissions the credentials have at most. */
  readonly role: string;
  /** Null: the store's own endpoint, or AWS's for the region. */
  readonly endpoint: string | null;
  /** How long credentials are valid. */
  readonly minutes: number;
}

/** A bucket and how clients reach it. */
export interface S3Target {
  readonly bucket: string;
  readonly endpoint: string | null;
  readonly region: string;
  readonly pathStyle: boolean;
}

/** The address of an S3-compatible store and how to connect to it. */
export interface S3Options extends BucketOptions {
  /** Null: the AWS endpoint for the region. */
  readonly endpoint: string | null;
  readonly region: string;
  /** `endpoint/bucket/key` instead of `bucket.endpoint/key`. */
  readonly pathStyle: boolean;
  /** Null: the credentials that the AWS SDK finds (environment, profile, instance role). */
  readonly credentials: S3Credentials | null;
  /** Null or unset: no temporary credentials are issued. */
  readonly sts?: StsOptions | null;
}

/** The connection to S3 from the operator's settings. */
export function s3Connection(settings: Settings): Omit<S3Options, keyof BucketOptions> {
  const { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = settings;
  return {
    endpoint: settings.s3Endpoint ?? null,
    region: settings.s3Region,
    pathStyle: settings.s3PathStyle,
    credentials: accessKeyId !== undefined && secretAccessKey !== undefined ? { accessKeyId, secretAccessKey } : null,
    sts: stsOptions(settings),
  };
}

function stsOptions({ s3StsRole: role, s3StsEndpoint, s3StsMinutes: minutes }: Settings): StsOptions | null {
  return role === undefined ? null : { role, endpoint: s3StsEndpoint ?? null, minutes };
}

/** How clients reach the bucket, named as in Iceberg's clients. */
export function connectionProperties({ endpoint, region, pathStyle }: S3Target): Record<string, string> {
  return {
    'client.region': region,
    's3.region': region,
    ...(endpoint === null ? {} : { 's3.endpoint': endpoint }),
    ...(pathStyle ? { 's3.path-style-access': 'true' } : {}),
  };
}
