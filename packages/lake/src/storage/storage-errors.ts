import { StorageError } from '@svc/iceberg';

/** The user-facing message when the storage refuses a request or doesn't respond. */
export const unavailableBecause = (reason: string): string =>
  `The storage can't be used: ${reason}. No data is lost. Try again soon.`;

export const unavailable = (reason: string, options?: ErrorOptions): StorageError =>
  new StorageError('unavailable', unavailableBecause(reason), options);

export const tooLarge = (location: string) =>
  new StorageError('too-large', `The object at ${location} is larger than its reader accepts.`);
export const missing = (location: string) => new StorageError('missing', `No object exists at ${location}.`);
export const exists = (location: string) => new StorageError('exists', `An object already exists at ${location}.`);
