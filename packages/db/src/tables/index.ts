export { createTable, type NewTableRow, type TableContents } from './create-table.ts';
export { findTable, findTableById, listTables } from './find-table.ts';
export { liveLocations, liveTables, markBuilt, readWatermark, tableFoldersInUse } from './live-locations.ts';
export { listReaders, readActivity, recordReads, removeOldReads, type TableReaders } from './record-read.ts';
export { releaseTables, tablesKeptAside } from './release-tables.ts';
export { type StoredTable, tableRecord } from './stored-table.ts';
export { type PointerSwap, replaceObject, swapTablePointer, type TableChange, updateTable } from './update-table.ts';
