export * from '../column-types/index.ts';
export type { Truncation } from './change-contract.ts';
export { columnNamesFault, RENAME_COLUMN } from './column-names.ts';
export { MAX_SAMPLE_BYTES, tableEndpoints } from './contract.ts';
export { FILES_GONE } from './files-gone.ts';
export { type NewTable, newTableSchema } from './new-table.ts';
export { tableParams, tablePath } from './params.ts';
export {
  type Column,
  columnSchema,
  type DataFormat,
  EXTERNAL_FORMATS,
  legalHoldSchema,
  type Snapshot,
  type StoredColumn,
  snapshotId,
  snapshotSchema,
  TABLE_KINDS,
  type Table,
  type TableHealth,
  type TableKind,
  tableSchema,
} from './schemas.ts';
