export {
  commitToStaging,
  findStaging,
  type NewStaging,
  removeExpiredStaging,
  removeStaging,
  type StoredStaging,
  storeStaging,
} from './staging.ts';
