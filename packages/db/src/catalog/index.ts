export { type CatalogTable, findCatalogTable, findTableIds, isBound, takeCatalogTables } from './find-tables.ts';
export { listChildNamespaces, listNames } from './list-names.ts';
export { isIdTaken, type LocationOwner, lockPlaces, ownersAround } from './locations.ts';
export {
  namespaceProperties,
  type Properties,
  setNamespaceProperties,
  takeNamespaceProperties,
} from './namespace-properties.ts';
export { type MoveOutcome, renameTable, type TableMove } from './rename-table.ts';
export { type RevivedView, reviveView } from './revive-view.ts';
export { swapView } from './set-view.ts';
