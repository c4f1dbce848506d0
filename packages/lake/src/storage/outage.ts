import { isErrno } from './errno.ts';
import { bucketRefusal } from './own-storage.ts';
import { StorageError, unavailableBecause } from './storage-error.ts';

/** Of a folder that may not be written to, is mounted read-only, or whose disk is broken or gone. */
const FOLDER_FAULTS = new Set(['EACCES', 'EPERM', 'EROFS', 'EIO', 'ESTALE', 'ENODEV']);

/** Calls to the system that concern no file. */
const NO_FILE = /^(bind|connect|kill|listen|spawn)/;

/**
 * Whether the storage refused or did not answer. A bucket's client marks what it throws; a refused connection is then its,
 * not the database's.
 */
export function isOutage(error: unknown): boolean {
  if (error instanceof StorageError) return error.reason === 'unavailable';
  const { $metadata, code, syscall } = (error ?? {}) as { $metadata?: unknown; code?: string; syscall?: string };
  return typeof $metadata === 'object' || (FOLDER_FAULTS.has(code ?? '') && !NO_FILE.test(syscall ?? ''));
}

/** Whether a file found no room on its disk. */
export function isDiskFull(error: unknown): boolean {
  return isErrno(error, 'ENOSPC', 'EDQUOT');
}

/** What is wrong with the storage as people are told it, with the code of the problem; null when it is something else. */
export function storageTrouble(
  error: unknown,
): { code: 'storage-unavailable' | 'storage-full'; detail: string } | null {
  if (isDiskFull(error)) {
    const detail = 'The service has no room left on its disk. Nothing was changed; ask its operator to make room.';
    return { code: 'storage-full', detail };
  }
  if (error instanceof StorageError && error.reason === 'obstructed') {
    const detail = 'The storage cannot be written to. Nothing was changed; ask its operator to look at its folder.';
    return { code: 'storage-unavailable', detail };
  }
  if (!isOutage(error)) return null;
  if (error instanceof StorageError) return { code: 'storage-unavailable', detail: error.message };
  const why = bucketRefusal(error) ?? `its folder fails (${(error as { code: string }).code})`;
  return { code: 'storage-unavailable', detail: unavailableBecause(why) };
}
