export {
  deleteEnvironment,
  type EnvironmentDeletion,
  keepEnvironment,
  purgeDeleted,
  type TakenTable,
} from './delete-environment.ts';
export {
  createEnvironment,
  deletedAmong,
  environmentRecord,
  findEnvironment,
  findEnvironmentById,
  getEnvironment,
  listEnvironments,
  type StoredEnvironment,
  updateEnvironment,
} from './environments.ts';
export {
  findStored,
  keepStorage,
  keepStorageSecret,
  type OwnStorageRow,
  ownStorageOf,
  ownStorages,
  type StorageNames,
  type StoredThing,
  storageMoved,
  storagesOfOthers,
  takeStorage,
} from './own-storage.ts';
export { type DueEnvironment, dropLeftovers, dueEnvironments, purgeEnvironment } from './purge-environments.ts';
export { type RestoredTable, restoreEnvironment } from './restore-environment.ts';
