export {
  commitToStaging,
  findStaging,
  type NewStaging,
  removeExpiredStaging,
  removeStaging,
  type StagingOwner,
  type StoredStaging,
  storeStaging,
} from './staging.ts';
