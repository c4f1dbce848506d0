export { StorageError, type StorageReason } from './storage-error.ts';
export { InvalidMetadataError, UnsupportedTableError } from './table-errors.ts';
