import type { Readable } from 'node:stream';
import type { FileCache } from './file-cache.ts';
import type { RequestSigner } from './signable-request.ts';
import type { CredentialVendor } from './vended-credentials.ts';

/** Maximum number of objects that one request lists or deletes. */
export const BATCH_SIZE = 1000;
/** Uploads of more bytes are sent in parts of this size. */
export const PART_BYTES = 16 * 1024 * 1024;
/** The size of parts, so that a body of the size needs no more of them than the provider allows. */
export const partBytes = (size: number, maxParts: number): number => Math.max(PART_BYTES, Math.ceil(size / maxParts));
/** Metadata that lets a writer recognize its own object if the response to its upload was lost. */
export const WRITER = 'svc-writer';
/** Attempts of one request, with increasing pauses between them. */
export const MAX_ATTEMPTS = 5;
/** A store that sends nothing for this long is considered dead, and the request is retried. */
export const IDLE_TIMEOUT_MS = 60_000;

/** What a store in a bucket needs besides the bucket's address and credentials. */
export interface BucketOptions {
  /** Local folder for cached objects and for files being written. */
  readonly cacheDir: string;
  /** Maximum size of the cache in bytes. */
  readonly cacheLimit: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Milliseconds without a byte after which a request is aborted and retried (default: 60,000). */
  readonly idleTimeoutMs?: number;
  /** Attempts of one request (default: 5). */
  readonly maxAttempts?: number;
  /** A cache shared by several stores of this process (default: the store's own, in `cacheDir`). */
  readonly cache?: FileCache;
}

export interface ByteRange {
  readonly start: number;
  readonly end?: number;
}

/** An object or, in a versioned bucket, one of its versions or a delete marker. */
export interface StoredVersion {
  readonly Key: string;
  readonly VersionId?: string;
  readonly size: number;
  readonly modifiedAt: number;
  /** True for a delete marker, which has no content. */
  readonly isDeleteMarker: boolean;
}

export interface Upload {
  readonly writer: string;
  readonly size: number;
}

export interface ObjectFacts {
  readonly size: number;
  readonly modifiedAt: number;
  /** The marker of its writer. */
  readonly writer: string | undefined;
}

/**
 * A bucket of one provider, by key. Methods throw the bucket's errors, which `isOutage` recognizes, and `unavailable` if
 * the whole bucket is missing, because the state of its objects is then unknown.
 */
export interface BucketClient {
  /** The URL of the bucket, without a trailing slash. */
  readonly url: string;
  /** Null if the provider's clients can't have their requests signed. */
  readonly signer: RequestSigner | null;
  readonly vend: CredentialVendor;
  /** The largest object that `copy` accepts. */
  readonly maxCopyBytes: number;

  /**
   * Creates an object; never overwrites one.
   * @param upload the marker of its writer, and the size of the body if it is known, otherwise 0
   */
  create(key: string, body: Uint8Array | Readable, upload: Upload): Promise<void>;
  /** Whether `create` failed because the object may exist already. */
  isTaken(error: unknown): boolean;
  /** Null if there is no such object. */
  head(key: string): Promise<ObjectFacts | null>;
  /** Starts to read an object; null if there is no such object. `length` is 0 if the response doesn't have it. */
  get(key: string, range?: ByteRange): Promise<{ readonly body: Readable; readonly length: number } | null>;
  /** Copies an object within the bucket; false if there is no such object. */
  copy(source: string, key: string): Promise<boolean>;
  /** The objects whose keys start with the prefix. */
  objects(prefix: string): AsyncGenerator<StoredVersion>;
  /** Everything stored under such keys, including hidden versions. */
  everything(prefix: string): AsyncGenerator<StoredVersion>;
  /** Removes an object with all of its versions. */
  remove(key: string): Promise<void>;
  /** @throws if the store refuses to remove one of them; the others have been removed */
  removeAll(versions: readonly StoredVersion[]): Promise<void>;
  /** Aborts abandoned uploads below a prefix and returns their number. */
  abortUploads(prefix: string, olderThan: number): Promise<number>;
}
