import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { trimEnd } from '@svc/core/contract';
import type { StoredFile } from '@svc/iceberg';
import { StorageError } from '@svc/iceberg';
import { BATCH_SIZE, BucketContents, type StoredVersion } from './bucket-contents.ts';
import { copyEach } from './copies.ts';
import { FileCache } from './file-cache.ts';
import type {
  ObjectBody,
  ObjectCopy,
  ObjectStore,
  RemovalCounts,
  Stage,
  StoreFolders,
  StoreRoot,
} from './object-store.ts';
import { isOutage } from './outage.ts';
import { DOTS } from './own-location.ts';
import { requestSigner } from './request-signing.ts';
import { isCode, markBroken, openS3Client, readAgain } from './s3-client.ts';
import { objectsIn, type S3Options } from './s3-options.ts';
import type { RequestSigner } from './signable-request.ts';
import { unavailable } from './unavailable.ts';
import {
  type CredentialRequest,
  type CredentialVendor,
  credentialVendor,
  type VendedCredentials,
} from './vended-credentials.ts';

const PART_BYTES = 16 * 1024 * 1024;
/** The largest object that one request can copy (S3's limit). */
const MAX_COPY_BYTES = 5 * 1024 ** 3;
/** Metadata that lets a writer recognize its own object if the response to its upload was lost. */
const WRITER = 'svc-writer';

/**
 * An object store in a bucket of S3 or a compatible service, below a prefix.
 *
 * @param location `s3://bucket` or `s3://bucket/prefix`
 */
export function openS3Store(location: string, options: S3Options): ObjectStore {
  const match = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(location);
  const prefix = trimEnd(match?.[2] ?? '', '/');
  if (match === null || DOTS.test(prefix) || /[*?[\]{}\0]/.test(prefix)) {
    throw new StorageError(
      'outside',
      'The storage location must be s3://bucket or s3://bucket/prefix, without * ? [ ] { }.',
    );
  }
  return new S3Store(openS3Client(options), { bucket: match[1]!, prefix }, options);
}

class S3Store implements ObjectStore {
  readonly root: string;
  private readonly signer: RequestSigner;
  private readonly vend: CredentialVendor;
  private readonly client: S3Client;
  private readonly bucket: string;
  private readonly keyPrefix: string;
  private readonly stages: string;
  private readonly objects: string;
  private readonly cache: FileCache;
  private readonly contents: BucketContents;

  constructor(client: S3Client, location: { bucket: string; prefix: string }, options: S3Options) {
    const { cacheDir, cacheLimit, clock } = options;
    this.client = client;
    const target = { ...options, bucket: location.bucket };
    this.signer = requestSigner(client, target);
    this.vend = credentialVendor(client, target, options.sts ?? null);
    this.bucket = location.bucket;
    this.contents = new BucketContents(client, location.bucket);
    this.keyPrefix = location.prefix === '' ? '' : `${location.prefix}/`;
    this.root = `s3://${location.bucket}${location.prefix === '' ? '' : `/${location.prefix}`}`;
    this.stages = path.join(cacheDir, 'stages');
    this.objects = objectsIn(cacheDir);
    this.cache = options.cache ?? new FileCache({ dir: this.objects, limit: cacheLimit, clock });
  }

  isUnavailable(error: unknown): boolean {
    return isOutage(error);
  }

  async signerOf(): Promise<RequestSigner> {
    return this.signer;
  }

  vendCredentials(request: CredentialRequest): Promise<VendedCredentials | null> {
    this.keyOf(request.location);
    return this.vend(request);
  }

  async rootOf(): Promise<string> {
    return this.root;
  }

  async roots(): Promise<StoreRoot[]> {
    return [{ location: this.root, environmentId: null }];
  }

  async write(location: string, body: ObjectBody): Promise<StoredFile> {
    const Key = this.keyOf(location);
    const writer = randomUUID();
    const Body =
      body instanceof Uint8Array || body instanceof Readable ? body : Readable.from(body, { objectMode: false });
    const upload = new Upload({
      client: this.client,
      partSize: PART_BYTES,
      params: { Bucket: this.bucket, Key, Body, IfNoneMatch: '*', Metadata: { [WRITER]: writer } },
    });
    try {
      await upload.done();
    } catch (error) {
      const existing = await this.head(Key).catch(() => null);
      // The upload succeeded but its response was lost, and the retry found the writer's own object.
      if (existing?.writer !== writer) throw existing !== null && isCode(error, 412, 409) ? exists(location) : error;
    } finally {
      if (Body instanceof Readable) Body.destroy();
    }
    const { size, modifiedAt } = (await this.head(Key))!;
    return { location, size, modifiedAt };
  }

  /** A bucket has no folders. */
  async makeFolder(location: string): Promise<void> {
    this.keyOf(location);
  }

  async read(location: string, maxBytes = Number.POSITIVE_INFINITY): Promise<Buffer> {
    return readAgain(async () => {
      const chunks: Buffer[] = [];
      let size = 0;
      const { body, length } = await this.open(location);
      if (length > maxBytes) {
        body.destroy();
        throw tooLarge(location);
      }
      for await (const chunk of body) {
        chunks.push(chunk as Buffer);
        size += (chunk as Buffer).length;
        // Leaving the loop closes the connection.
        if (size > maxBytes) throw tooLarge(location);
      }
      return Buffer.concat(chunks);
    });
  }

  async readStream(location: string, range?: { readonly start: number; readonly end?: number }): Promise<Readable> {
    return (await this.open(location, range)).body;
  }

  /** Starts to read an object; `length` is 0 if the response doesn't have it. */
  private async open(
    location: string,
    range?: { readonly start: number; readonly end?: number },
  ): Promise<{ body: Readable; length: number }> {
    const Range = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end ?? ''}` };
    try {
      const { Body, ContentLength: length = 0 } = await this.client.send(
        new GetObjectCommand({ Bucket: this.bucket, Key: this.keyOf(location), ...Range }),
      );
      const body = Body as Readable;
      // The stream may fail before anyone reads it; the reader then sees the failure.
      body.on('error', markBroken);
      return { body, length };
    } catch (error) {
      if (!isCode(error, 404)) throw error;
      await this.requireBucket();
      throw missing(location);
    }
  }

  async stat(location: string): Promise<StoredFile | null> {
    const object = await this.head(this.keyOf(location));
    return object && { location, size: object.size, modifiedAt: object.modifiedAt };
  }

  async *list(prefix: string): AsyncGenerator<StoredFile> {
    for await (const object of this.contents.objects(this.keysBelow(prefix))) yield this.storedObject(object);
  }

  async remove(location: string): Promise<boolean> {
    const Key = this.keyOf(location);
    const object = await this.head(Key);
    await this.cache.remove(location);
    if (object !== null) await this.contents.remove(Key);
    return object !== null;
  }

  async removePrefix(
    prefix: string,
    options: { readonly limit?: number; readonly isRetained?: (object: StoredFile) => boolean } = {},
  ): Promise<RemovalCounts & { done: boolean }> {
    const limit = options.limit ?? BATCH_SIZE;
    // Validates the prefix: the root itself can't be removed.
    this.keyOf(prefix);
    const chosen: StoredVersion[] = [];
    let done = true;
    for await (const version of this.contents.everything(this.keysBelow(prefix))) {
      if (options.isRetained?.(this.storedObject(version))) continue;
      if (chosen.length >= limit) {
        done = false;
        break;
      }
      chosen.push(version);
    }
    for (const version of chosen) await this.cache.remove(this.storedObject(version).location);
    await this.contents.removeAll(chosen);
    const files = chosen.filter(({ isDeleteMarker }) => !isDeleteMarker);
    return { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0), done };
  }

  localPath(location: string): Promise<string> {
    return readAgain(() => this.cache.path(location, () => this.readStream(location)));
  }

  copyAll(copies: readonly ObjectCopy[]): Promise<void> {
    return copyEach(copies, (one) => this.copy(one));
  }

  /** The service copies objects up to its limit; larger ones pass through this process. */
  private async copy({ from, to, bytes }: ObjectCopy): Promise<void> {
    const [source, Key] = [this.keyOf(from), this.keyOf(to)];
    if (bytes > MAX_COPY_BYTES) {
      await this.write(to, await this.readStream(from));
      return;
    }
    const CopySource = [this.bucket, ...source.split('/')].map(encodeURIComponent).join('/');
    try {
      await this.client.send(new CopyObjectCommand({ Bucket: this.bucket, Key, CopySource }));
    } catch (error) {
      if (!isCode(error, 404)) throw error;
      await this.requireBucket();
      throw missing(from);
    }
  }

  async folders(): Promise<StoreFolders> {
    for (const folder of [this.objects, this.stages]) await fs.mkdir(folder, { recursive: true, mode: 0o750 });
    return { files: [this.objects], stages: this.stages };
  }

  async openStage(): Promise<Stage> {
    await fs.mkdir(this.stages, { recursive: true, mode: 0o750 });
    const dir = await fs.mkdtemp(path.join(this.stages, 's-'));
    return { dir, close: () => fs.rm(dir, { recursive: true, force: true }) };
  }

  async moveInto(file: string, location: string): Promise<StoredFile> {
    const stored = await this.write(location, createReadStream(file));
    // A file that was just written is likely to be read soon.
    await this.cache.put(location, file);
    return stored;
  }

  async sweepStages(olderThan: number): Promise<number> {
    let removed = 0;
    for (const name of await fs.readdir(this.stages).catch(() => [])) {
      const stage = path.join(this.stages, name);
      const stat = await fs.stat(stage).catch(() => null);
      if (stat === null || stat.mtimeMs >= olderThan) continue;
      await fs.rm(stage, { recursive: true, force: true });
      removed += 1;
    }
    return removed + (await this.contents.abortUploads(this.keyPrefix, olderThan));
  }

  private async head(Key: string) {
    try {
      const response = await this.client.send(new HeadObjectCommand({ Bucket: this.bucket, Key }));
      const modifiedAt = response.LastModified?.getTime() ?? 0;
      return { size: response.ContentLength ?? 0, modifiedAt, writer: response.Metadata?.[WRITER] };
    } catch (error) {
      if (!isCode(error, 404)) throw error;
      await this.requireBucket();
      return null;
    }
  }

  /** If the whole bucket is missing, the state of its objects is unknown. */
  private async requireBucket(): Promise<void> {
    try {
      await this.client.send(new HeadBucketCommand({ Bucket: this.bucket }));
    } catch (error) {
      // A key with access to objects may lack permission for this request.
      if (isCode(error, 401, 403)) return;
      if (!isCode(error, 404)) throw error;
      throw unavailable(`the bucket ${this.bucket} doesn't exist`, { cause: error });
    }
  }

  private storedObject({ Key, size, modifiedAt }: StoredVersion): StoredFile {
    return { location: `s3://${this.bucket}/${Key}`, size, modifiedAt };
  }

  private keysBelow(prefix: string): string {
    return trimEnd(prefix, '/') === this.root ? this.keyPrefix : `${this.keyOf(prefix)}/`;
  }

  private keyOf(location: string): string {
    const below = location.startsWith(`${this.root}/`) ? trimEnd(location.slice(this.root.length + 1), '/') : '';
    const plain = below.replaceAll(/%2e/gi, '.').replaceAll(/%2f|%5c|\\/gi, '/');
    if (below === '' || DOTS.test(plain) || /\0|%00/i.test(below) || /[?#]/.test(below)) {
      throw new StorageError('outside', `${location} is not below the storage location.`);
    }
    return this.keyPrefix + below;
  }
}

const tooLarge = (location: string) =>
  new StorageError('too-large', `The object at ${location} is larger than its reader accepts.`);
const missing = (location: string) => new StorageError('missing', `No object exists at ${location}.`);
const exists = (location: string) => new StorageError('exists', `An object already exists at ${location}.`);
