import type { Readable } from 'node:stream';
import type { FileStore, ListOptions, StoredFile } from '@svc/iceberg';
import type { RequestSigner } from './signable-request.ts';
import type { CredentialRequest, VendedCredentials } from './vended-credentials.ts';

/** A location below which a store keeps objects; has an id if it is an environment's own storage. */
export type StoreRoot = { readonly location: string; readonly environmentId: string | null };

export type RemovalCounts = { readonly files: number; readonly bytes: number };

/** The content of an object: bytes, or a stream of chunks, which is read once. */
export type ObjectBody = Uint8Array | AsyncIterable<Uint8Array>;

/** An object, and the location of its copy. */
export type ObjectCopy = { readonly from: string; readonly to: string; readonly bytes: number };

/**
 * Files by location (a URL below the store's root). Objects are written once and never changed, so that readers of
 * older snapshots stay consistent and an object store without rename can implement this interface.
 *
 * Every method throws `StorageError`: `outside` for a location that isn't below the root, `exists` for a second write,
 * `missing` when a read finds no object, `unavailable` if an environment's own storage doesn't serve the request.
 */
export interface ObjectStore extends FileStore {
  /** The URL above all objects, without a trailing slash. */
  readonly root: string;

  /**
   * The URL below which an environment's new tables are created: the root, unless the environment has its own storage.
   */
  rootOf(environmentId: string): Promise<string>;

  /** The root, then the locations of environments with their own storage. */
  roots(): Promise<StoreRoot[]>;

  /** Signs engines' requests for objects below a location; null if objects are files on this machine. */
  signerOf(location: string): Promise<RequestSigner | null>;

  /** Issues temporary credentials for the files of one table; null if the storage can't. */
  vendCredentials(request: CredentialRequest): Promise<VendedCredentials | null>;

  /**
   * As in `FileStore`; the body can also be a stream.
   * @param size of the body in bytes, if it is known: a bucket accepts streams above about 150 GB only with it
   */
  write(location: string, body: ObjectBody, size?: number): Promise<StoredFile>;

  readStream(location: string, range?: { readonly start: number; readonly end?: number }): Promise<Readable>;

  /**
   * Removes at most `limit` objects below `prefix` and returns what it removed.
   * `done` is true if nothing is left. Safe to repeat after a crash.
   */
  removePrefix(
    prefix: string,
    options?: { readonly limit?: number },
  ): Promise<RemovalCounts & { readonly done: boolean }>;

  /** The folders of this machine in which the files of `localPath` and the stages are. Creates them, but not a missing root. */
  folders(): Promise<StoreFolders>;

  /** A path that programs on this machine can open; for an S3 store, the path of the cached copy. */
  localPath(location: string): Promise<string>;

  /**
   * A new local folder for a program to write files to, which `moveInto` then moves into the store. `close` removes the
   * folder and everything left in it.
   */
  openStage(): Promise<Stage>;

  /**
   * Turns a finished local file into an object: visible at once, never overwriting, and durable unless the caller
   * accepts losing it in a power failure. The local file is removed.
   */
  moveInto(path: string, location: string, options?: { readonly durable?: boolean }): Promise<StoredFile>;

  /**
   * Copies objects to new locations, durably: they don't pass through this process, as far as the storage can do that. In a folder, a copy is a second name of the same immutable file: each name can be removed without the other, and the
   * disk space is free after the last one. A failure may leave some of the copies.
   */
  copyAll(copies: readonly ObjectCopy[]): Promise<void>;

  /**
   * Creates a folder if the store has folders, for programs that write only to existing folders. Removing everything
   * below it removes it.
   */
  makeFolder(location: string): Promise<void>;

  /**
   * Removes stages and unfinished writes that a killed process left, last changed before `olderThan` (milliseconds
   * since 1970). `onUnreadable` is as in `list`, and is also called for a folder whose contents can't be removed.
   */
  sweepStages(olderThan: number, options?: ListOptions): Promise<number>;
}

/** The stages may be in one of the folders of files. */
export type StoreFolders = { readonly files: readonly string[]; readonly stages: string };

export type Stage = { readonly dir: string; readonly close: () => Promise<void> };
