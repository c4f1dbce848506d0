export { createTable, type NewTableRow, type TableContents } from './create-table.ts';
export {
  findStoredTable,
  findTable,
  findTableById,
  isUnderLegalHold,
  type ListedTable,
  listTables,
  lockTableById,
  lockTableForShare,
  requireLiveTable,
  tableNames,
  tablesNamedAlike,
  tablesOfEnvironment,
} from './find-table.ts';
export { type CatalogEntry, type ListedNamespace, listCatalog } from './list-catalog.ts';
export { liveLocations, liveTables, markBuilt, readProgress, tablesIn, tablesInside } from './live-locations.ts';
export {
  listReaders,
  readActivity,
  readsOf,
  readsOfMany,
  recordReads,
  removeOldReads,
  type TableReaders,
  touchTable,
} from './record-read.ts';
export { claimTables, listTablesWithFailedCheck, releaseTables, wereViews } from './release-tables.ts';
export {
  findSnapshotSources,
  findSnapshotsOfRun,
  forgetSnapshots,
  type NewSnapshotSource,
  recordSnapshotSource,
  type SnapshotWork,
  type StoredSnapshotSource,
} from './snapshot-sources.ts';
export { activityOf, legalHoldRecord, retentionFacts, type StoredTable, tableRecord } from './stored-table.ts';
export {
  type PointerSwap,
  replaceObject,
  swapAndNotify,
  swapTablePointer,
  type TableChange,
  updateTable,
} from './update-table.ts';
export { type VisibleTables, visibleTablesSql } from './visible-tables.ts';
