export * from '../column-types/index.ts';
export {
  type Column,
  columnSchema,
  type DataFormat,
  EXTERNAL_FORMATS,
  legalHoldSchema,
  MAX_SAMPLE_BYTES,
  type NewTable,
  newTableSchema,
  type Snapshot,
  snapshotSchema,
  TABLE_KINDS,
  type Table,
  type TableHealth,
  type TableKind,
  tableEndpoints,
  tableParams,
  tableSchema,
} from './contract.ts';
export { FILES_GONE } from './files-gone.ts';
