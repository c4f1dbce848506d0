import type { Failure } from '@svc/core/errors';
import { FILES_GONE } from '@svc/core/tables';
import { StorageError, UnsupportedTableError } from '@svc/iceberg';
import { failure, failureOfStorage } from '../work/failures.ts';

/**
 * The failure of an error in a table's own files.
 * @throws all other errors
 */
export function failureOfFiles(error: unknown): Failure {
  if (error instanceof UnsupportedTableError) return failure('not-supported', error.message);
  if (error instanceof StorageError && error.reason === 'missing')
    return { ...FILES_GONE, detail: `${FILES_GONE.detail} Nothing was changed.` };
  return failureOfStorage(error);
}
