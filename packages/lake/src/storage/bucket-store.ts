import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { trimEnd } from '@svc/core/contract';
import type { StoredFile } from '@svc/iceberg';
import { StorageError } from '@svc/iceberg';
import { markBroken, readAgain } from './body-streams.ts';
import {
  BATCH_SIZE,
  type BucketClient,
  type BucketOptions,
  type ByteRange,
  type StoredVersion,
} from './bucket-client.ts';
import { forEach } from './concurrency.ts';
import { FileCache, objectsIn } from './file-cache.ts';
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
import type { RequestSigner } from './signable-request.ts';
import { exists, missing, tooLarge } from './storage-errors.ts';
import type { CredentialRequest, VendedCredentials } from './vended-credentials.ts';

/** An object store in a bucket, below a prefix. Local programs read copies, and write to stages. */
export class BucketStore implements ObjectStore {
  readonly root: string;
  private readonly bucket: BucketClient;
  private readonly keyPrefix: string;
  private readonly stages: string;
  private readonly copies: string;
  private readonly cache: FileCache;

  constructor(bucket: BucketClient, prefix: string, { cacheDir, cacheLimit, clock, cache }: BucketOptions) {
    this.bucket = bucket;
    this.keyPrefix = prefix === '' ? '' : `${prefix}/`;
    this.root = `${bucket.url}${prefix === '' ? '' : `/${prefix}`}`;
    this.stages = path.join(cacheDir, 'stages');
    this.copies = objectsIn(cacheDir);
    this.cache = cache ?? new FileCache({ dir: this.copies, limit: cacheLimit, clock });
  }

  isUnavailable(error: unknown): boolean {
    return isOutage(error);
  }

  async signerOf(): Promise<RequestSigner | null> {
    return this.bucket.signer;
  }

  vendCredentials(request: CredentialRequest): Promise<VendedCredentials | null> {
    this.keyOf(request.location);
    return this.bucket.vend(request);
  }

  async rootOf(): Promise<string> {
    return this.root;
  }

  async roots(): Promise<StoreRoot[]> {
    return [{ location: this.root, environmentId: null }];
  }

  async write(location: string, body: ObjectBody, size = 0): Promise<StoredFile> {
    const key = this.keyOf(location);
    const writer = randomUUID();
    const content =
      body instanceof Uint8Array || body instanceof Readable ? body : Readable.from(body, { objectMode: false });
    try {
      await this.bucket.create(key, content, { writer, size });
    } catch (error) {
      const existing = await this.bucket.head(key).catch(() => null);
      // The upload succeeded but its response was lost, and the retry found the writer's own object.
      if (existing?.writer !== writer) throw existing !== null && this.bucket.isTaken(error) ? exists(location) : error;
    } finally {
      if (content instanceof Readable) content.destroy();
    }
    const stored = (await this.bucket.head(key))!;
    return { location, size: stored.size, modifiedAt: stored.modifiedAt };
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

  async readStream(location: string, range?: ByteRange): Promise<Readable> {
    return (await this.open(location, range)).body;
  }

  private async open(location: string, range?: ByteRange): Promise<{ body: Readable; length: number }> {
    const opened = await this.bucket.get(this.keyOf(location), range);
    if (opened === null) throw missing(location);
    // The stream may fail before anyone reads it; the reader then sees the failure.
    opened.body.on('error', markBroken);
    return opened;
  }

  async stat(location: string): Promise<StoredFile | null> {
    const object = await this.bucket.head(this.keyOf(location));
    return object && { location, size: object.size, modifiedAt: object.modifiedAt };
  }

  async *list(prefix: string): AsyncGenerator<StoredFile> {
    for await (const object of this.bucket.objects(this.keysBelow(prefix))) {
      const stored = this.storedObject(object);
      // Other programs store objects that no location can name, such as markers of folders.
      if (this.keyOrNull(stored.location) === object.Key) yield stored;
    }
  }

  async remove(location: string): Promise<boolean> {
    const key = this.keyOf(location);
    const object = await this.bucket.head(key);
    await this.cache.remove(location);
    if (object !== null) await this.bucket.remove(key);
    return object !== null;
  }

  async removePrefix(
    prefix: string,
    options: { readonly limit?: number } = {},
  ): Promise<RemovalCounts & { done: boolean }> {
    const limit = options.limit ?? BATCH_SIZE;
    // Validates the prefix: the root itself can't be removed.
    this.keyOf(prefix);
    const chosen: StoredVersion[] = [];
    let done = true;
    for await (const version of this.bucket.everything(this.keysBelow(prefix))) {
      if (chosen.length >= limit) {
        done = false;
        break;
      }
      chosen.push(version);
    }
    for (const version of chosen) await this.cache.remove(this.storedObject(version).location);
    await this.bucket.removeAll(chosen);
    const files = chosen.filter(({ isDeleteMarker }) => !isDeleteMarker);
    return { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0), done };
  }

  localPath(location: string): Promise<string> {
    return readAgain(() => this.cache.path(location, () => this.readStream(location)));
  }

  copyAll(copies: readonly ObjectCopy[]): Promise<void> {
    return forEach(copies, (one) => this.copy(one));
  }

  /** The service copies objects up to its limit; larger ones pass through this process. */
  private async copy({ from, to, bytes }: ObjectCopy): Promise<void> {
    const [source, key] = [this.keyOf(from), this.keyOf(to)];
    if (bytes > this.bucket.maxCopyBytes) await this.write(to, await this.readStream(from), bytes);
    else if (!(await this.bucket.copy(source, key))) throw missing(from);
  }

  async folders(): Promise<StoreFolders> {
    for (const folder of [this.copies, this.stages]) await fs.mkdir(folder, { recursive: true, mode: 0o750 });
    return { files: [this.copies], stages: this.stages };
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
    return removed + (await this.bucket.abortUploads(this.keyPrefix, olderThan));
  }

  private storedObject({ Key, size, modifiedAt }: StoredVersion): StoredFile {
    return { location: `${this.bucket.url}/${Key}`, size, modifiedAt };
  }

  private keysBelow(prefix: string): string {
    return trimEnd(prefix, '/') === this.root ? this.keyPrefix : `${this.keyOf(prefix)}/`;
  }

  private keyOf(location: string): string {
    const key = this.keyOrNull(location);
    if (key === null) throw new StorageError('outside', `${location} is not below the storage location.`);
    return key;
  }

  private keyOrNull(location: string): string | null {
    const below = location.startsWith(`${this.root}/`) ? trimEnd(location.slice(this.root.length + 1), '/') : '';
    const plain = below.replaceAll(/%2e/gi, '.').replaceAll(/%2f|%5c|\\/gi, '/');
    if (below === '' || DOTS.test(plain) || /\0|%00/i.test(below) || /[?#]/.test(below)) return null;
    return this.keyPrefix + below;
  }
}
