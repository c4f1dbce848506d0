/** `obstructed`: a file exists where a folder is needed. */
export type StorageReason = 'outside' | 'exists' | 'missing' | 'unavailable' | 'obstructed';

export class StorageError extends Error {
  readonly reason: StorageReason;

  constructor(reason: StorageReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageError';
    this.reason = reason;
  }
}

/** The user-facing message when the storage refuses a request or doesn't respond. */
export const unavailableBecause = (why: string): string =>
  `The storage can't be used: ${why}. No data is lost. Try again soon.`;

export const unavailable = (why: string, options?: ErrorOptions): StorageError =>
  new StorageError('unavailable', unavailableBecause(why), options);
