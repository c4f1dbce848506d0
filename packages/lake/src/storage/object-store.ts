import type { Readable } from 'node:stream';
import type { RequestSigner } from './signable-request.ts';

/** What a store knows of one object. Times are milliseconds since 1970, sizes bytes. */
export type StoredObject = { readonly location: string; readonly size: number; readonly modifiedAt: number };

/** A place that a store keeps objects below; of an environment's own storage with its id. */
export type StoreRoot = { readonly location: string; readonly environmentId: string | null };

export type RemovalCounts = { readonly files: number; readonly bytes: number };

/** What an object is written of: bytes, or pieces as they come, which are read once. */
export type ObjectBody = Uint8Array | AsyncIterable<Uint8Array>;

/**
 * Files by location (a URL below the store's root). Objects are written once and never changed, so that a reader holding
 * an older snapshot stays right and an object store without rename can implement this.
 *
 * Every method throws `StorageError`: `outside` for a location not below the root, `exists` for a second write,
 * `missing` for reading what is not there, `unavailable` when an environment's own storage does not serve it.
 */
export interface ObjectStore {
  /** The URL below which everything lies, without a trailing slash. */
  readonly root: string;

  /** The URL below which an environment's new tables go: the root, unless the environment has storage of its own. */
  rootOf(environmentId: string): Promise<string>;

  /** The root, then the locations of environments that have storage of their own. */
  roots(): Promise<StoreRoot[]>;

  /** What signs engines' requests for what lies below a location; null where objects are files of this machine. */
  signerOf(location: string): Promise<RequestSigner | null>;

  /** Writes a new object. It is visible either whole and durable or not at all. */
  write(location: string, body: ObjectBody): Promise<StoredObject>;

  read(location: string): Promise<Buffer>;

  readStream(location: string, range?: { readonly start: number; readonly end?: number }): Promise<Readable>;

  /** Null when there is no such object. */
  stat(location: string): Promise<StoredObject | null>;

  /** Every object below `prefix` (a folder), in no order. A missing folder has none. */
  list(prefix: string): AsyncIterable<StoredObject>;

  /** Removes one object; false when it was not there. */
  remove(location: string): Promise<boolean>;

  /**
   * Removes at most `limit` objects below `prefix`, except those for which `keep` says so, and says what is gone.
   * `done` is true when nothing removable is left. Safe to repeat after a kill.
   */
  removePrefix(
    prefix: string,
    options?: { readonly limit?: number; readonly keep?: (object: StoredObject) => boolean },
  ): Promise<RemovalCounts & { readonly done: boolean }>;

  /** A path that programs on this machine can open; an S3 store gives the cached copy's. */
  localPath(location: string): Promise<string>;

  /**
   * A fresh folder of this machine for a program to write files into, which `adopt` then moves into the store. `close`
   * removes it with all that is left in it.
   */
  openStage(): Promise<Stage>;

  /**
   * Makes a finished file of this machine an object: visible at once, never overwriting, and durable unless told that a
   * loss with the machine's power does no harm. The file is gone.
   */
  adopt(path: string, location: string, options?: { readonly durable?: boolean }): Promise<StoredObject>;

  /**
   * Makes a folder where the store has any, for a program that writes files into folders that are there alone. Removing all
   * below it removes it.
   */
  makeFolder(location: string): Promise<void>;

  /** Removes stages and unfinished writes that a killed process left, last changed before `olderThan` (milliseconds since 1970). */
  sweepStages(olderThan: number): Promise<number>;
}

export type Stage = { readonly dir: string; readonly close: () => Promise<void> };
