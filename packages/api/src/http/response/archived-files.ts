import { ApiError } from '@svc/core/errors';
import { StorageError } from '@svc/iceberg';

/**
 * What is read from archived files.
 * @param archive what the files have, and how to restore them
 * @throws ApiError `files-gone` if one is missing
 */
export async function readingArchive<T>(
  reading: Promise<T>,
  archive: { readonly contents: string; readonly remedy: string },
): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof StorageError && error.reason === 'missing')) throw error;
    const { contents, remedy } = archive;
    throw new ApiError('files-gone', `${contents} can't be read. ${error.message}`, { remedy, cause: error });
  }
}
