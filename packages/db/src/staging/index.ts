export {
  commitToStaging,
  extendStaging,
  findStaging,
  type NewStaging,
  removeExpiredStaging,
  removeStaging,
  type StagingOwner,
  type StoredStaging,
  stagingInside,
  storeStaging,
} from './staging.ts';
