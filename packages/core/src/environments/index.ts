export {
  type Environment,
  environmentEndpoints,
  environmentSchema,
  envParams,
  type MaintenanceRule,
  type OrphanedLocation,
  type RemovedLocations,
} from './contract.ts';
export { STORAGE_SECRET_KEYS, storageKeys, storageSecretError } from './storage.ts';
