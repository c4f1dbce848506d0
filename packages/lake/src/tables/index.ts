export { applyUpdates } from './apply-updates.ts';
export {
  type CommitResult,
  CommitStateUnknownError,
  commitFiles,
  commitTable,
  type FileCommitResult,
  type SwapPointer,
  writeNewTable,
} from './commit-table.ts';
export { type CompactionPlan, planCompaction } from './compaction-plan.ts';
export { createTableMetadata } from './create-table.ts';
export type { AppliedUpdates, CommitRefusal, TableUpdate } from './draft.ts';
export { type EvolvedSchema, evolveSchema } from './evolve-schema.ts';
export {
  type Column,
  columnsOfFields,
  columnTypeOf,
  DUCKDB_NAMES,
  duckdbType,
  fieldsOfColumns,
} from './field-types.ts';
export { boundsOf, type ColumnBounds, type Comparable, compare } from './file-bounds.ts';
export { fieldById, fieldPath } from './find-field.ts';
export { expireSnapshots, type MetadataChange, removeRef, rollbackTo } from './maintain-table.ts';
export type { DataFileRecord } from './manifests.ts';
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
  UnsupportedTableError,
} from './metadata.ts';
export { type MetadataFile, readMetadataFile, readTableMetadata, rememberMetadata } from './metadata-cache.ts';
export { formatMetadata, parseLossless, parseMetadata, stringifyLossless } from './metadata-json.ts';
export type { MappedField, NameMapping } from './name-mapping.ts';
export { type IdSource, newTableLocation, tableIds, tableParent } from './new-location.ts';
export { type NewTableRequest, newTableMetadata } from './new-table.ts';
export { findOrphanFiles } from './orphan-files.ts';
export { refusedByFiles, refusedByMetadata } from './own-files.ts';
export { valueOfText } from './partition-values.ts';
export { removeOrphanFiles } from './remove-orphans.ts';
export type { TableRequirement } from './requirements.ts';
export { type FileRewrite, prepareRewrite } from './rewrite-files.ts';
export { isLineage, isRowId, lineageOf, withoutLineage } from './row-lineage.ts';
export {
  type DeleteFile,
  type FileReading,
  type ScanAt,
  type ScanFile,
  scanFiles,
  type TableScan,
} from './scan-files.ts';
export { type PreparedCommit, prepareSnapshot, removeFiles, type SnapshotWrite } from './snapshot-writes.ts';
export { dataFileRecord, type WrittenFile } from './statistics.ts';
export { type TableFolder, tableFolders } from './table-folders.ts';
export { COMMENT, columnsAfter, contentsOf, descriptionAfter, documentedSchema, rowColumns } from './table-record.ts';
export { type AskedVersion, type FoundVersion, findVersion, versionColumns } from './table-versions.ts';
export type { Transform } from './transforms.ts';
export { requireWritable } from './writable-types.ts';
export { type WriteLayout, writeLayout } from './write-layout.ts';
export type { TableIds } from './write-manifests.ts';
