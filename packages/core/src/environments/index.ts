export {
  type Environment,
  environmentEndpoints,
  environmentSchema,
  envParams,
  type OrphanedLocation,
  type RemovedLocations,
} from './contract.ts';
