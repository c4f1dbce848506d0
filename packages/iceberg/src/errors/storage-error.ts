/**
 * `outside`: the location isn't below the store's root. `exists`: the file is there already. `missing`: there is no such
 * file. `unavailable`: the storage doesn't serve the request. `obstructed`: a file exists where a folder is needed.
 * `too-large`: the file is larger than the caller accepts.
 */
export type StorageReason = 'outside' | 'exists' | 'missing' | 'unavailable' | 'obstructed' | 'too-large';

/** A store can't serve a request. */
export class StorageError extends Error {
  readonly reason: StorageReason;

  constructor(reason: StorageReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageError';
    this.reason = reason;
  }
}
