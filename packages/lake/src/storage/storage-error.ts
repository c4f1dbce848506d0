/** `obstructed`: a file lies where a folder would have to. */
export type StorageReason = 'outside' | 'exists' | 'missing' | 'unavailable' | 'obstructed';

export class StorageError extends Error {
  readonly reason: StorageReason;

  constructor(reason: StorageReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageError';
    this.reason = reason;
  }
}
