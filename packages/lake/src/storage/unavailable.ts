import { StorageError } from '@svc/iceberg';

/** The user-facing message when the storage refuses a request or doesn't respond. */
export const unavailableBecause = (why: string): string =>
  `The storage can't be used: ${why}. No data is lost. Try again soon.`;

export const unavailable = (why: string, options?: ErrorOptions): StorageError =>
  new StorageError('unavailable', unavailableBecause(why), options);
