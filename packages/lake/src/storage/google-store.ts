import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Bucket, type File, type FileMetadata, IdempotencyStrategy, Storage } from '@google-cloud/storage';
import { wholeBody, wholeIfSmall } from './body-streams.ts';
import {
  BATCH_SIZE,
  type BucketClient,
  type BucketOptions,
  type ByteRange,
  IDLE_TIMEOUT_MS,
  MAX_ATTEMPTS,
  type ObjectFacts,
  PART_BYTES,
  type StoredVersion,
  type Upload,
  WRITER,
} from './bucket-client.ts';
import { BucketError, isCode, NoCredentialsError } from './bucket-error.ts';
import { BucketStore } from './bucket-store.ts';
import { forEach } from './concurrency.ts';
import type { GoogleConnection } from './google-options.ts';
import { exchangeOf, googleVendor } from './google-tokens.ts';
import { bucketOf } from './locations.ts';
import type { ObjectStore } from './object-store.ts';
import { unavailable } from './storage-errors.ts';
import type { CredentialVendor } from './vended-credentials.ts';

/** Every request can be repeated: creations have a condition, and the others lead to the same state. */
const RETRIED = new Set([408, 429, 500, 502, 503, 504]);

/** Without a maximum, the client pauses for 30 seconds in five attempts. The clients of other providers pause for about three. */
const MAX_PAUSE_S = 1;

/**
 * An object store in a bucket of Google Cloud Storage, below a prefix.
 *
 * @param location `gs://bucket` or `gs://bucket/prefix`
 */
export function openGoogleStore(location: string, options: BucketOptions, google: GoogleConnection): ObjectStore {
  const { bucket, prefix } = bucketOf('gs', location);
  return new BucketStore(new GoogleBucket(bucket, options, google), prefix, options);
}

class GoogleBucket implements BucketClient {
  readonly url: string;
  readonly signer = null;
  readonly vend: CredentialVendor;
  readonly maxCopyBytes = Number.POSITIVE_INFINITY;
  private readonly bucket: Bucket;
  private readonly idleMs: number;

  constructor(name: string, options: BucketOptions, google: GoogleConnection) {
    const { idleTimeoutMs = IDLE_TIMEOUT_MS, maxAttempts = MAX_ATTEMPTS } = options;
    const { endpoint, key } = google;
    const storage = new Storage({
      timeout: idleTimeoutMs,
      retryOptions: {
        autoRetry: maxAttempts > 1,
        maxRetries: maxAttempts - 1,
        maxRetryDelay: MAX_PAUSE_S,
        idempotencyStrategy: IdempotencyStrategy.RetryAlways,
        retryableErrorFn: isRetried,
      },
      ...(endpoint === null ? {} : { apiEndpoint: endpoint, useAuthWithCustomEndpoint: key !== null }),
      // The project isn't needed to use a bucket, and finding out which it is needs requests.
      projectId: 'unused',
      ...(key === null ? {} : { credentials: { ...key } }),
    });
    this.url = `gs://${name}`;
    this.bucket = storage.bucket(name);
    this.idleMs = idleTimeoutMs;
    this.vend = googleVendor(
      name,
      google,
      exchangeOf(() => storage.authClient.getClient()),
    );
  }

  async create(key: string, body: Uint8Array | Readable, { writer }: Upload): Promise<void> {
    const options = {
      preconditionOpts: { ifGenerationMatch: 0 },
      metadata: { contentType: 'application/octet-stream', metadata: { [WRITER]: writer } },
      validation: false,
    };
    const content = await wholeIfSmall(body);
    const file = this.bucket.file(key);
    if (content instanceof Uint8Array)
      return called(() => file.save(Buffer.from(content), { ...options, resumable: false }));
    let cut: unknown;
    content.once('error', (error) => {
      cut = error;
    });
    const upload = file.createWriteStream({ ...options, resumable: true, chunkSize: PART_BYTES });
    await called(() => pipeline(content, upload)).catch((error: unknown) => {
      throw cut ?? error;
    });
  }

  isTaken(error: unknown): boolean {
    return isCode(error, 412, 409);
  }

  async head(key: string): Promise<ObjectFacts | null> {
    const found = await this.unlessMissing(() => this.bucket.file(key).getMetadata());
    if (found === null) return null;
    const { Key: _, ...facts } = versionOf(key, found[0]);
    return { ...facts, writer: found[0].metadata?.[WRITER] as string | undefined };
  }

  get(key: string, range?: ByteRange): Promise<{ body: Readable; length: number } | null> {
    return this.unlessMissing(async () => {
      const options = { decompress: false, validation: false as const, ...range };
      const source = this.bucket.file(key).createReadStream(options);
      const responded = once(source, 'response');
      source.read(0);
      const [{ statusCode, headers }] = (await responded) as [{ statusCode: number; headers: Record<string, string> }];
      if (statusCode >= 300) await once(source, 'response');
      const length = Number(headers['content-length'] ?? 0);
      return { body: wholeBody(source, length, this.idleMs), length };
    });
  }

  async copy(source: string, key: string): Promise<boolean> {
    return (await this.unlessMissing(() => this.bucket.file(source).copy(this.bucket.file(key)))) !== null;
  }

  objects(prefix: string): AsyncGenerator<StoredVersion> {
    return this.listed(prefix, false);
  }

  everything(prefix: string): AsyncGenerator<StoredVersion> {
    return this.listed(prefix, true);
  }

  async remove(key: string): Promise<void> {
    const own: StoredVersion[] = [];
    for await (const version of this.everything(key)) if (version.Key === key) own.push(version);
    await this.removeAll(own);
  }

  removeAll(versions: readonly StoredVersion[]): Promise<void> {
    return forEach(versions, ({ Key, VersionId }) => {
      const file = this.bucket.file(Key, VersionId === undefined ? {} : { generation: VersionId });
      return called(() => file.delete({ ignoreNotFound: true }));
    });
  }

  /** Google removes them itself, after a week. */
  async abortUploads(): Promise<number> {
    return 0;
  }

  private async *listed(prefix: string, versions: boolean): AsyncGenerator<StoredVersion> {
    let pageToken: string | undefined;
    do {
      const query = { prefix, versions, autoPaginate: false, maxResults: BATCH_SIZE, ...(pageToken && { pageToken }) };
      const [files, next] = (await called(() => this.bucket.getFiles(query))) as unknown as [
        File[],
        { pageToken?: string } | null,
      ];
      for (const { name, metadata } of files) yield versionOf(name, metadata);
      pageToken = next?.pageToken;
    } while (pageToken !== undefined);
  }

  /** Null if the object doesn't exist. @throws `unavailable` if the bucket doesn't exist */
  private async unlessMissing<T>(request: () => Promise<T>): Promise<T | null> {
    try {
      return await called(request);
    } catch (error) {
      if (!isCode(error, 404)) throw error;
      try {
        await called(() => this.bucket.getFiles({ autoPaginate: false, maxResults: 1 }));
      } catch (second) {
        // A key with access to objects may lack permission for this request.
        if (isCode(second, 401, 403)) return null;
        if (!isCode(second, 404)) throw second;
        throw unavailable(`the bucket ${this.bucket.name} doesn't exist`, { cause: second });
      }
      return null;
    }
  }
}

function versionOf(Key: string, { generation, size, updated }: FileMetadata): StoredVersion {
  const modifiedAt = updated === undefined ? 0 : new Date(updated).getTime();
  const version = generation === undefined ? {} : { VersionId: String(generation) };
  return { Key, ...version, size: Number(size ?? 0), modifiedAt, isDeleteMarker: false };
}

/** What Google's clients throw. */
interface GoogleError {
  readonly code?: number | string;
  readonly status?: number;
  readonly message?: string;
  readonly errors?: readonly { readonly reason?: string }[];
}

const statusOf = ({ code, status }: GoogleError): number | undefined => {
  const number = Number(code ?? status);
  return Number.isInteger(number) && number >= 100 ? number : undefined;
};

/** A request without a response is retried as well. */
function isRetried(error: GoogleError): boolean {
  const status = statusOf(error);
  return status === undefined ? !isWithoutCredentials(error) : RETRIED.has(status);
}

const isWithoutCredentials = ({ message = '' }: GoogleError): boolean =>
  /Could not load the default credentials/.test(message);

/** Sends a request. @throws BucketError, NoCredentialsError */
async function called<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    const { code, errors, message = '' } = error as GoogleError;
    if (isWithoutCredentials(error as GoogleError)) throw new NoCredentialsError(message, { cause: error });
    const status = statusOf(error as GoogleError);
    const name = errors?.[0]?.reason ?? (typeof code === 'string' && status === undefined ? code : undefined);
    throw new BucketError({ status, name, message: message.split('\n', 1)[0]! }, error);
  }
}
