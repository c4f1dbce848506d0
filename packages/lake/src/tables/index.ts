export { DUCKDB_NAMES, duckdbType } from './duckdb-types.ts';
export { newTableLocation, tableParent } from './new-location.ts';
export { type TableFolder, tableFolders } from './table-folders.ts';
export {
  COMMENT,
  columnsAfter,
  contentsOf,
  descriptionAfter,
  documentedSchema,
  pointerSwap,
  rowColumns,
} from './table-record.ts';
