export { type ClonedFiles, cloneMetadata, filesToClone } from './commits/clone-table.ts';
export {
  type CommitResult,
  CommitStateUnknownError,
  commitFiles,
  commitTable,
  type FileCommitResult,
  type SwapPointer,
  writeNewTable,
} from './commits/commit-table.ts';
export { POSITION_DELETE_FIELDS, POSITION_DELETE_LAYOUT, type PositionDeletes } from './commits/position-deletes.ts';
export { type FileRewrite, prepareRewrite } from './commits/rewrite-files.ts';
export { removeFiles } from './commits/snapshot-draft.ts';
export { type PreparedCommit, prepareSnapshot, type SnapshotWrite } from './commits/snapshot-writes.ts';
export {
  type StagedChange,
  type StagedFor,
  type StagedFrom,
  type StagedRows,
  stagedChange,
  stagedClone,
  stagedMetadata,
  stagedRows,
} from './commits/staged-table.ts';
export { type IdSource, type TableIds, tableIds } from './commits/table-ids.ts';
export { type TruncateResult, truncateTable } from './commits/truncate-table.ts';
export { sortedLayout, type WriteLayout, writeLayout } from './commits/write-layout.ts';
export { InvalidMetadataError, StorageError, type StorageReason, UnsupportedTableError } from './errors/index.ts';
export type { FileStore, ListOptions, StoredFile } from './files/file-store.ts';
export {
  canonicalLocation,
  fileLocation,
  isDirect,
  isWithin,
  joinLocation,
  normalizeLocation,
  pathOfLocation,
} from './files/locations.ts';
export { readLimited } from './files/read-limited.ts';
export { type CompactionPlan, planCompaction, SMALL_BYTES } from './maintenance/compaction-plan.ts';
export { checkSnapshot, FileExistenceCheck, type SnapshotCheck } from './maintenance/missing-files.ts';
export { findOrphanFiles } from './maintenance/orphan-files.ts';
export { foreignFilesInMetadata, foreignFilesInUpdates } from './maintenance/own-files.ts';
export { removeOrphanFiles } from './maintenance/remove-orphans.ts';
export {
  filteredByProperties,
  filteredPrefix,
  hasBloomFilters,
  type RewriteDemand,
} from './maintenance/rewrite-demand.ts';
export type { DeleteFile } from './manifests/delete-index.ts';
export { boundsOf, type ColumnBounds, type Comparable, compare } from './manifests/file-bounds.ts';
export { type DataFileRecord, type LiveEntry, readManifest, readManifestList } from './manifests/manifests.ts';
export { valueOfText } from './manifests/partition-values.ts';
export { dataFileRecord, type WrittenFile } from './manifests/statistics.ts';
export { checkViewMetadata } from './metadata/check-metadata.ts';
export { fieldById, fieldPath } from './metadata/find-field.ts';
export { exceededLimit, requireModestJson } from './metadata/json-size.ts';
export {
  currentSchema,
  type IcebergField,
  type IcebergSchema,
  type IcebergStruct,
  type IcebergType,
  type Int64,
  listSnapshots,
  type PartitionSpec,
  type Snapshot,
  type SnapshotEntry,
  type SortOrder,
  schemaById,
  snapshotById,
  snapshotIdFrom,
  snapshotOfRef,
  type TableMetadata,
  type TableState,
  tableTotals,
} from './metadata/metadata.ts';
export { cacheMetadata, type MetadataFile, readMetadataFile, readTableMetadata } from './metadata/metadata-cache.ts';
export { formatMetadata, parseMetadata, stringifyLossless } from './metadata/metadata-json.ts';
export type { MappedField, NameMapping } from './metadata/name-mapping.ts';
export { parseLossless } from './metadata/parse-lossless.ts';
export { isLineage, isRowId, lineageOf, withoutLineage } from './scans/row-lineage.ts';
export {
  type FileReadOptions,
  requireNoneInside,
  type ScanAt,
  type ScanFile,
  scanFiles,
  type TableScan,
} from './scans/scan-files.ts';
export { readTableScan } from './scans/table-scans.ts';
export { type FoundVersion, findVersion, type RequestedVersion, versionColumns } from './scans/table-versions.ts';
export { alterSchema, type SchemaChanges } from './updates/alter-schema.ts';
export { applyUpdates } from './updates/apply-updates.ts';
export { createTableMetadata } from './updates/create-table.ts';
export {
  type AppliedUpdates,
  type CommitFailure,
  type TableUpdate,
  text,
  UpdateRejectedError,
} from './updates/draft.ts';
export { type EvolvedSchema, evolveSchema } from './updates/evolve-schema.ts';
export { identifierFields } from './updates/identifier-fields.ts';
export {
  expireSnapshots,
  type MetadataChange,
  removeRef,
  removesSnapshots,
  rollbackTo,
} from './updates/maintain-table.ts';
export { type NewTableRequest, newTableMetadata } from './updates/new-table.ts';
export type { TableRequirement } from './updates/requirements.ts';
export { SchemaChangeError } from './updates/schema-change-error.ts';
export { schemaError } from './updates/schema-error.ts';
export { unknownColumn } from './updates/unknown-column.ts';
export { locationOf, removeProperties, setProperties } from './updates/update-properties.ts';
export {
  type Column,
  columnsOfFields,
  columnTypeOf,
  fieldsOfColumns,
} from './values/field-types.ts';
export type { Transform } from './values/transforms.ts';
export { requireWritable } from './values/writable-types.ts';
