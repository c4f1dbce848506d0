/** The metadata of a stored file. Times are milliseconds since 1970, sizes are bytes. */
export type StoredFile = { readonly location: string; readonly size: number; readonly modifiedAt: number };

export interface ListOptions {
  /** Called for a folder inside that can't be read, whose files are then left out. Without it, such a folder is an error. */
  readonly onUnreadable?: ((folder: string, error: unknown) => void) | undefined;
}

/**
 * What this package needs of a storage: files by location, which is a URL such as `file:///tables/t1/data/f.parquet` or
 * `s3://bucket/t1/data/f.parquet`. Files are written once and never changed, so an object store without rename can
 * implement it.
 *
 * The methods throw `StorageError`: `outside` for a location that the store doesn't serve, `exists` for a second write,
 * `missing` when a read finds no file.
 */
export interface FileStore {
  /** Writes a new file, which becomes visible either complete and durable or not at all. */
  write(location: string, body: Uint8Array): Promise<StoredFile>;

  /** Throws `too-large` without reading a file of more than `maxBytes`. */
  read(location: string, maxBytes?: number): Promise<Buffer>;

  /** Null if there is no such file. */
  stat(location: string): Promise<StoredFile | null>;

  /** Every file below a folder, in no particular order. A missing folder has none. */
  list(folder: string, options?: ListOptions): AsyncIterable<StoredFile>;

  /** Removes one file; returns false if it didn't exist. */
  remove(location: string): Promise<boolean>;

  /**
   * Whether an error of this store means that the storage refuses requests or doesn't respond. Files that can't be
   * cleaned up for that reason are left for `removeOrphanFiles`.
   */
  isUnavailable(error: unknown): boolean;
}
