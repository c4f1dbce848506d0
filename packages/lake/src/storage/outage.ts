import { StorageError } from '@svc/iceberg';
import { bucketError } from './bucket-error.ts';
import { isErrno } from './errno.ts';
import { unavailableBecause } from './storage-errors.ts';

/** Errors of a folder that isn't writable, is mounted read-only, or whose disk is faulty or missing. */
const FOLDER_FAULTS = new Set(['EACCES', 'EPERM', 'EROFS', 'EIO', 'ESTALE', 'ENODEV']);

/** System calls that don't concern files. */
const NO_FILE = /^(bind|connect|kill|listen|spawn)/;

/**
 * Whether the storage refused a request or didn't respond. The bucket client marks its errors, so that its refused
 * connections can be distinguished from the database's.
 */
export function isOutage(error: unknown): boolean {
  if (error instanceof StorageError) return error.reason === 'unavailable';
  const { $metadata, code, syscall } = (error ?? {}) as { $metadata?: unknown; code?: string; syscall?: string };
  return typeof $metadata === 'object' || (FOLDER_FAULTS.has(code ?? '') && !NO_FILE.test(syscall ?? ''));
}

/** Whether a folder of this machine can't be used. Others may work. */
export const isFolderFault = (error: unknown): boolean =>
  isOutage(error) && !(error instanceof StorageError) && FOLDER_FAULTS.has((error as { code?: string }).code ?? '');

/** Whether a write failed because the disk is full. */
export function isDiskFull(error: unknown): boolean {
  return isErrno(error, 'ENOSPC', 'EDQUOT');
}

/** The user-facing description of a storage error, with its problem code; null for any other error. */
export function storageFailure(
  error: unknown,
): { code: 'storage-unavailable' | 'storage-full'; detail: string } | null {
  if (isDiskFull(error)) {
    const detail =
      'The disk of the service is full. Nothing was changed. Try again after the operator has freed space.';
    return { code: 'storage-full', detail };
  }
  if (error instanceof StorageError && error.reason === 'obstructed') {
    const detail = "The storage isn't writable. Nothing was changed. The operator must check the storage folder.";
    return { code: 'storage-unavailable', detail };
  }
  if (!isOutage(error)) return null;
  if (error instanceof StorageError) return { code: 'storage-unavailable', detail: error.message };
  const why = bucketError(error) ?? `its folder can't be used (${(error as { code: string }).code})`;
  return { code: 'storage-unavailable', detail: unavailableBecause(why) };
}
