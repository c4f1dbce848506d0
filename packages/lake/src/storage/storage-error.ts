export type StorageReason = 'outside' | 'exists' | 'missing' | 'unavailable';

export class StorageError extends Error {
  readonly reason: StorageReason;

  constructor(reason: StorageReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageError';
    this.reason = reason;
  }
}
