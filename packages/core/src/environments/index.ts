export {
  type Environment,
  environmentEndpoints,
  environmentSchema,
  envParams,
  type MaintenanceRule,
  type OrphanedLocation,
  type RemovedLocations,
} from './contract.ts';
export { BUCKETS, storageKeys, storageSecretError, storageSecretKeys } from './storage.ts';
