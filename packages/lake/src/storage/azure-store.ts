import type { Readable } from 'node:stream';
import type { BlobItem, ContainerClient, Metadata } from '@azure/storage-blob';
import { called, openAzureClient } from './azure-client.ts';
import type { AzureConnection } from './azure-options.ts';
import { azureVendor, delegationOf } from './azure-sas.ts';
import { wholeBody, wholeIfSmall } from './body-streams.ts';
import {
  BATCH_SIZE,
  type BucketClient,
  type BucketOptions,
  type ByteRange,
  IDLE_TIMEOUT_MS,
  MAX_ATTEMPTS,
  type ObjectFacts,
  partBytes,
  type StoredVersion,
  type Upload,
} from './bucket-client.ts';
import { isCode } from './bucket-error.ts';
import { BucketStore } from './bucket-store.ts';
import { forEach } from './concurrency.ts';
import { bucketOf } from './locations.ts';
import type { ObjectStore } from './object-store.ts';
import type { CredentialVendor } from './vended-credentials.ts';

/** The marker of a writer: Azure's names of metadata have no hyphens. */
const WRITER = 'svc_writer';
const CONCURRENT_PARTS = 4;
/** Azure's limit of one object. */
const MAX_PARTS = 50_000;
/** Between requests for the state of a copy. */
const POLL_MS = 500;

/**
 * An object store in a container of Azure Blob Storage, below a prefix.
 *
 * @param location `abfss://container@account.dfs.core.windows.net`, with or without a prefix
 */
export async function openAzureStore(
  location: string,
  options: BucketOptions,
  azure: AzureConnection,
): Promise<ObjectStore> {
  const { bucket, prefix } = bucketOf('abfss', location);
  const [container = '', host = ''] = bucket.split('@');
  const account = host.slice(0, host.indexOf('.'));
  const service = await openAzureClient(account, options, azure);
  const vend = azureVendor(
    { url: `abfss://${bucket}`, account, container },
    azure,
    delegationOf(service, options.clock),
  );
  const client = new AzureContainer(`abfss://${bucket}`, service.getContainerClient(container), { vend, options });
  return new BucketStore(client, prefix, options);
}

class AzureContainer implements BucketClient {
  readonly url: string;
  readonly signer = null;
  readonly vend: CredentialVendor;
  readonly maxCopyBytes = Number.POSITIVE_INFINITY;
  private readonly container: ContainerClient;
  private readonly idleMs: number;
  private readonly attempts: number;

  constructor(
    url: string,
    container: ContainerClient,
    { vend, options }: { vend: CredentialVendor; options: BucketOptions },
  ) {
    this.url = url;
    this.container = container;
    this.vend = vend;
    this.idleMs = options.idleTimeoutMs ?? IDLE_TIMEOUT_MS;
    this.attempts = options.maxAttempts ?? MAX_ATTEMPTS;
  }

  async create(key: string, body: Uint8Array | Readable, { writer, size }: Upload): Promise<void> {
    const blob = this.container.getBlockBlobClient(key);
    const options = { conditions: { ifNoneMatch: '*' }, metadata: { [WRITER]: writer } };
    const content = await wholeIfSmall(body);
    if (content instanceof Uint8Array) await called(() => blob.upload(content, content.length, options), this.attempts);
    else await called(() => blob.uploadStream(content, partBytes(size, MAX_PARTS), CONCURRENT_PARTS, options));
  }

  /** Azure reports 400 if another writer has replaced the parts of an upload. */
  isTaken(error: unknown): boolean {
    return isCode(error, 400, 409, 412);
  }

  async head(key: string): Promise<ObjectFacts | null> {
    const found = await this.unlessMissing(() => this.container.getBlobClient(key).getProperties());
    if (found === null || isFolder(found.metadata)) return null;
    const { contentLength: size = 0, lastModified, metadata } = found;
    return { size, modifiedAt: lastModified?.getTime() ?? 0, writer: metadata?.[WRITER] };
  }

  async get(key: string, range?: ByteRange): Promise<{ body: Readable; length: number } | null> {
    const { start = 0, end } = range ?? {};
    const count = end === undefined ? undefined : end - start + 1;
    const maxRetryRequests = this.attempts - 1;
    const found = await this.unlessMissing(() =>
      this.container.getBlobClient(key).download(start, count, { maxRetryRequests }),
    );
    if (found === null || isFolder(found.metadata)) return null;
    const { contentLength: length = 0, readableStreamBody: body } = found;
    return { body: wholeBody(body as Readable, length, this.idleMs), length };
  }

  async copy(source: string, key: string): Promise<boolean> {
    const from = this.container.getBlobClient(source);
    const to = this.container.getBlobClient(key);
    const copied = await this.unlessMissing(async () =>
      (await to.beginCopyFromURL(from.url, { intervalInMs: POLL_MS })).pollUntilDone(),
    );
    return copied !== null;
  }

  async *objects(prefix: string): AsyncGenerator<StoredVersion> {
    let from: { continuationToken?: string } = {};
    do {
      // The client's iterator ends after a failure, so an attempt that continued with it would end the listing.
      const first = () =>
        this.container
          .listBlobsFlat({ prefix, includeMetadata: true })
          .byPage({ maxPageSize: BATCH_SIZE, ...from })
          .next();
      const { value: page } = await called(first, this.attempts);
      for (const blob of page.segment.blobItems as BlobItem[]) if (!isFolder(blob.metadata)) yield versionOf(blob);
      from = page.continuationToken ? { continuationToken: page.continuationToken } : {};
    } while (from.continuationToken !== undefined);
  }

  /** Old versions are left to the rules of the account. */
  everything(prefix: string): AsyncGenerator<StoredVersion> {
    return this.objects(prefix);
  }

  async remove(key: string): Promise<void> {
    // Azure refuses to delete an object that has snapshots without them.
    const options = { deleteSnapshots: 'include' } as const;
    await called(() => this.container.getBlobClient(key).deleteIfExists(options), this.attempts);
  }

  removeAll(versions: readonly StoredVersion[]): Promise<void> {
    return forEach(versions, ({ Key }) => this.remove(Key));
  }

  /** Azure removes them itself, after a week. */
  async abortUploads(): Promise<number> {
    return 0;
  }

  /** Null if the object doesn't exist. */
  private async unlessMissing<T>(request: () => Promise<T>): Promise<T | null> {
    try {
      return await called(request, this.attempts);
    } catch (error) {
      if (isCode(error, 404)) return null;
      throw error;
    }
  }
}

/** Accounts with a hierarchical namespace store folders as empty objects with such metadata. */
const isFolder = (metadata: Metadata | undefined): boolean => metadata?.['hdi_isfolder'] === 'true';

function versionOf({ name, properties }: BlobItem): StoredVersion {
  const { contentLength: size = 0, lastModified } = properties;
  return { Key: name, size, modifiedAt: lastModified.getTime(), isDeleteMarker: false };
}
