export {
  type CommitResult,
  CommitStateUnknownError,
  commitFiles,
  commitTable,
  type FileCommitResult,
  type SwapPointer,
  writeNewTable,
} from './commit-table.ts';
export { type CompactionPlan, planCompaction } from './maintenance/compaction-plan.ts';
export { checkSnapshot, FileCheck, type SnapshotCheck } from './maintenance/missing-files.ts';
export { findOrphanFiles } from './maintenance/orphan-files.ts';
export { refusedByFiles, refusedByMetadata } from './maintenance/own-files.ts';
export { removeOrphanFiles } from './maintenance/remove-orphans.ts';
export { type FileRewrite, prepareRewrite } from './maintenance/rewrite-files.ts';
export { type TableFolder, tableFolders } from './maintenance/table-folders.ts';
export type { DeleteFile } from './manifests/delete-index.ts';
export { boundsOf, type ColumnBounds, type Comparable, compare } from './manifests/file-bounds.ts';
export type { DataFileRecord } from './manifests/manifests.ts';
export { valueOfText } from './manifests/partition-values.ts';
export { removeFiles, type TableIds } from './manifests/snapshot-draft.ts';
export { dataFileRecord, type WrittenFile } from './manifests/statistics.ts';
export { checkViewMetadata } from './metadata/check-metadata.ts';
export { fieldById, fieldPath } from './metadata/find-field.ts';
export {
  currentSchema,
  type IcebergField,
  type IcebergSchema,
  type IcebergStruct,
  type IcebergType,
  type Int64,
  InvalidMetadataError,
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
  UnsupportedTableError,
} from './metadata/metadata.ts';
export { type MetadataFile, readMetadataFile, readTableMetadata, rememberMetadata } from './metadata/metadata-cache.ts';
export { formatMetadata, parseLossless, parseMetadata, stringifyLossless } from './metadata/metadata-json.ts';
export type { MappedField, NameMapping } from './metadata/name-mapping.ts';
export { type IdSource, newTableLocation, tableIds, tableParent } from './new-location.ts';
export { isLineage, isRowId, lineageOf, withoutLineage } from './row-lineage.ts';
export {
  type FileReading,
  requireNoneInside,
  type ScanAt,
  type ScanFile,
  scanFiles,
  type TableScan,
} from './scan-files.ts';
export { type PreparedCommit, prepareSnapshot, type SnapshotWrite } from './snapshot-writes.ts';
export { COMMENT, columnsAfter, contentsOf, descriptionAfter, documentedSchema, rowColumns } from './table-record.ts';
export { readTableScan } from './table-scans.ts';
export { type FoundVersion, findVersion, type RequestedVersion, versionColumns } from './table-versions.ts';
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
export { expireSnapshots, type MetadataChange, removeRef, rollbackTo } from './updates/maintain-table.ts';
export { type NewTableRequest, newTableMetadata } from './updates/new-table.ts';
export type { TableRequirement } from './updates/requirements.ts';
export { schemaFault } from './updates/schema-fault.ts';
export { locationOf, removeProperties, setProperties } from './updates/update-properties.ts';
export { DUCKDB_NAMES, duckdbType } from './values/duckdb-types.ts';
export {
  type Column,
  columnsOfFields,
  columnTypeOf,
  fieldsOfColumns,
} from './values/field-types.ts';
export type { Transform } from './values/transforms.ts';
export { requireWritable } from './values/writable-types.ts';
export { type WriteLayout, writeLayout } from './write-layout.ts';
