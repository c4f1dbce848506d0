export {
  type DroppedTableRow,
  deleteEnvironment,
  type EnvironmentDeletion,
  lockEnvironmentForShare,
  purgeDeleted,
} from './delete-environment.ts';
export {
  createEnvironment,
  environmentRecord,
  filterDeletedEnvironments,
  findEnvironment,
  findEnvironmentById,
  getEnvironment,
  listEnvironments,
  type StoredEnvironment,
  updateEnvironment,
} from './environments.ts';
export {
  findStoredObject,
  lockStorageForShare,
  lockStorageForUpdate,
  lockStorageSecretForShare,
  type OwnStorageRow,
  ownStorageOf,
  ownStorages,
  type StorageNames,
  type StoredObject,
  storageMoved,
  storagesOfOthers,
} from './own-storage.ts';
export { type DueEnvironment, dropLeftovers, dueEnvironments, purgeEnvironment } from './purge-environments.ts';
export { type RestoredTable, restoreEnvironment } from './restore-environment.ts';
