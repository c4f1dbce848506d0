import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketVersioningCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { BATCH_SIZE, type StoredVersion } from './bucket-client.ts';
import { isCode } from './bucket-error.ts';

/**
 * Lists and permanently removes the contents of a bucket: in a versioned bucket, a plain deletion would only hide an
 * object.
 */
export class S3Contents {
  private readonly client: S3Client;
  private readonly bucket: string;
  private versions: Promise<boolean> | undefined;

  constructor(client: S3Client, bucket: string) {
    this.client = client;
    this.bucket = bucket;
  }

  /** The objects whose keys start with the prefix. */
  async *objects(Prefix: string): AsyncGenerator<StoredVersion> {
    let ContinuationToken: string | undefined;
    do {
      const page = await this.client.send(
        new ListObjectsV2Command({ Bucket: this.bucket, Prefix, ContinuationToken, MaxKeys: BATCH_SIZE }),
      );
      for (const { Key, Size, LastModified } of page.Contents ?? [])
        yield { Key: Key!, size: Size ?? 0, modifiedAt: LastModified?.getTime() ?? 0, isDeleteMarker: false };
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken !== undefined);
  }

  /** Everything stored under such keys, including hidden versions. */
  async *everything(Prefix: string): AsyncGenerator<StoredVersion> {
    if (!(await this.isVersioned())) return yield* this.objects(Prefix);
    let next: { KeyMarker: string | undefined; VersionIdMarker: string | undefined } | null = null;
    do {
      const page: ListObjectVersionsCommandOutput = await this.client.send(
        new ListObjectVersionsCommand({ Bucket: this.bucket, Prefix, MaxKeys: BATCH_SIZE, ...next }),
      );
      const marks = (page.DeleteMarkers ?? []).map((isDeleteMarker) => ({ ...isDeleteMarker, Size: 0, mark: true }));
      for (const entry of [...(page.Versions ?? []).map((version) => ({ ...version, mark: false })), ...marks]) {
        yield {
          Key: entry.Key!,
          VersionId: entry.VersionId!,
          size: entry.Size ?? 0,
          modifiedAt: entry.LastModified?.getTime() ?? 0,
          isDeleteMarker: entry.mark,
        };
      }
      next = page.IsTruncated ? { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker } : null;
    } while (next !== null);
  }

  async remove(Key: string): Promise<void> {
    if (!(await this.isVersioned())) {
      await this.client.send(new DeleteObjectCommand({ Bucket: this.bucket, Key }));
      return;
    }
    const own: StoredVersion[] = [];
    for await (const version of this.everything(Key)) if (version.Key === Key) own.push(version);
    await this.removeAll(own);
  }

  /** @throws if the store refuses to remove one of them; the others have been removed */
  async removeAll(versions: readonly StoredVersion[]): Promise<void> {
    for (let at = 0; at < versions.length; at += BATCH_SIZE) {
      const Objects = versions
        .slice(at, at + BATCH_SIZE)
        .map(({ Key, VersionId }) => (VersionId ? { Key, VersionId } : { Key }));
      const { Errors = [] } = await this.client.send(
        new DeleteObjectsCommand({ Bucket: this.bucket, Delete: { Objects, Quiet: true } }),
      );
      const [first] = Errors;
      if (first === undefined) continue;
      const why = `${first.Code ?? ''} ${first.Message ?? ''}`;
      throw new Error(`the storage refused to delete ${Errors.length} objects: ${why}`);
    }
  }

  /** Aborts abandoned multipart uploads: their parts take up space and don't appear in any listing. */
  async abortUploads(Prefix: string, olderThan: number): Promise<number> {
    const { bucket: Bucket } = this;
    let aborted = 0;
    let next: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | null = {};
    while (next !== null) {
      const page: ListMultipartUploadsCommandOutput = await this.client.send(
        new ListMultipartUploadsCommand({ Bucket, Prefix, ...next }),
      );
      for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
        if (Initiated === undefined || Initiated.getTime() >= olderThan) continue;
        await this.client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
        aborted += 1;
      }
      next = page.IsTruncated ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker } : null;
    }
    return aborted;
  }

  /**
   * Requested until the store responds. Without permission to request it, or if the store doesn't support it, the
   * bucket is treated as unversioned.
   */
  private isVersioned(): Promise<boolean> {
    this.versions ??= this.client.send(new GetBucketVersioningCommand({ Bucket: this.bucket })).then(
      ({ Status }) => Status !== undefined,
      (error: unknown) => {
        if (isCode(error, 403, 405, 501)) return false;
        this.versions = undefined;
        throw error;
      },
    );
    return this.versions;
  }
}
