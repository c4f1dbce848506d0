export { type CatalogTable, findCatalogTable, findTableIds, isBound, lockCatalogTables } from './find-tables.ts';
export { listChildNamespaces, listNames } from './list-names.ts';
export { findLocationOwners, isIdInUse, isInsideCreation, type LocationOwner, lockLocations } from './locations.ts';
export {
  lockNamespaceProperties,
  namespaceProperties,
  type Properties,
  setNamespaceProperties,
} from './namespace-properties.ts';
export { type RenameResult, renameTable, type TableRename } from './rename-table.ts';
export { type RevivedView, reviveView } from './revive-view.ts';
export { swapView } from './set-view.ts';
