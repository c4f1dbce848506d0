import type { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { wholeBody } from './body-streams.ts';
import {
  type BucketClient,
  type ByteRange,
  IDLE_TIMEOUT_MS,
  type ObjectFacts,
  type Upload as ObjectUpload,
  PART_BYTES,
  partBytes,
  type StoredVersion,
  WRITER,
} from './bucket-client.ts';
import { isCode } from './bucket-error.ts';
import { BucketStore } from './bucket-store.ts';
import { bucketOf } from './locations.ts';
import type { ObjectStore } from './object-store.ts';
import { requestSigner } from './request-signing.ts';
import { openS3Client, openS3Reader } from './s3-client.ts';
import { S3Contents } from './s3-contents.ts';
import { credentialVendor } from './s3-credentials.ts';
import type { S3Options } from './s3-options.ts';
import type { RequestSigner } from './signable-request.ts';
import { unavailable } from './storage-errors.ts';
import type { CredentialVendor } from './vended-credentials.ts';

/** S3's limit of one upload. */
const MAX_PARTS = 10_000;
const CONCURRENT_PARTS = 4;

/**
 * An object store in a bucket of S3 or a compatible service, below a prefix.
 *
 * @param location `s3://bucket` or `s3://bucket/prefix`
 */
export function openS3Store(location: string, options: S3Options): ObjectStore {
  const { bucket, prefix } = bucketOf('s3', location);
  return new BucketStore(new S3Bucket(bucket, options), prefix, options);
}

class S3Bucket implements BucketClient {
  readonly url: string;
  readonly signer: RequestSigner;
  readonly vend: CredentialVendor;
  /** S3's limit of one request. */
  readonly maxCopyBytes = 5 * 1024 ** 3;
  private readonly client: S3Client;
  private readonly reader: S3Client;
  private readonly idleMs: number;
  private readonly bucket: string;
  private readonly contents: S3Contents;

  constructor(bucket: string, options: S3Options) {
    this.url = `s3://${bucket}`;
    this.bucket = bucket;
    this.client = openS3Client(options);
    this.reader = openS3Reader(options);
    this.idleMs = options.idleTimeoutMs ?? IDLE_TIMEOUT_MS;
    const target = { ...options, bucket };
    this.signer = requestSigner(this.client, target);
    this.vend = credentialVendor(this.client, target, options.sts ?? null);
    this.contents = new S3Contents(this.client, bucket);
  }

  async create(Key: string, Body: Uint8Array | Readable, { writer, size }: ObjectUpload): Promise<void> {
    const partSize = partBytes(size, MAX_PARTS);
    const upload = new Upload({
      client: this.client,
      partSize,
      // Parts are in memory while they are sent.
      queueSize: partSize === PART_BYTES ? CONCURRENT_PARTS : 1,
      params: { Bucket: this.bucket, Key, Body, IfNoneMatch: '*', Metadata: { [WRITER]: writer } },
    });
    await upload.done();
  }

  isTaken(error: unknown): boolean {
    return isCode(error, 412, 409);
  }

  async head(Key: string): Promise<ObjectFacts | null> {
    try {
      const response = await this.client.send(new HeadObjectCommand({ Bucket: this.bucket, Key }));
      const modifiedAt = response.LastModified?.getTime() ?? 0;
      return { size: response.ContentLength ?? 0, modifiedAt, writer: response.Metadata?.[WRITER] };
    } catch (error) {
      return await this.missing(error);
    }
  }

  async get(Key: string, range?: ByteRange): Promise<{ body: Readable; length: number } | null> {
    const Range = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end ?? ''}` };
    try {
      const request = new GetObjectCommand({ Bucket: this.bucket, Key, ...Range });
      const { Body, ContentLength: length = 0 } = await this.reader.send(request);
      return { body: wholeBody(Body as Readable, length, this.idleMs), length };
    } catch (error) {
      return await this.missing(error);
    }
  }

  async copy(source: string, Key: string): Promise<boolean> {
    const CopySource = [this.bucket, ...source.split('/')].map(encodeURIComponent).join('/');
    try {
      await this.client.send(new CopyObjectCommand({ Bucket: this.bucket, Key, CopySource }));
      return true;
    } catch (error) {
      return (await this.missing(error)) ?? false;
    }
  }

  objects(prefix: string): AsyncGenerator<StoredVersion> {
    return this.contents.objects(prefix);
  }

  everything(prefix: string): AsyncGenerator<StoredVersion> {
    return this.contents.everything(prefix);
  }

  remove(key: string): Promise<void> {
    return this.contents.remove(key);
  }

  removeAll(versions: readonly StoredVersion[]): Promise<void> {
    return this.contents.removeAll(versions);
  }

  abortUploads(prefix: string, olderThan: number): Promise<number> {
    return this.contents.abortUploads(prefix, olderThan);
  }

  /** Null if the error says that there is no object. @throws any other error, or that the bucket is missing */
  private async missing(error: unknown): Promise<null> {
    if (!isCode(error, 404)) throw error;
    try {
      await this.client.send(new HeadBucketCommand({ Bucket: this.bucket }));
    } catch (second) {
      // A key with access to objects may lack permission for this request.
      if (isCode(second, 401, 403)) return null;
      if (!isCode(second, 404)) throw second;
      throw unavailable(`the bucket ${this.bucket} doesn't exist`, { cause: second });
    }
    return null;
  }
}
