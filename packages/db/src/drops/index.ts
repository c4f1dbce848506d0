export {
  claimAbandonedCreation,
  completeCreation,
  findAbandonedCreations,
  finishRemoval,
  foldersWithoutRecord,
  forgetCreations,
  isStarted,
  startCreation,
} from './creations.ts';
export { type DropResult, dropDetail, dropTable, type TableDrop } from './drop-table.ts';
export { hasLegalHoldSql, legalHoldError, releaseCommand } from './hold-errors.ts';
export {
  findDropWithLegalHold,
  type LockedTable,
  lockTableForLegalHold,
  releaseLegalHold,
  requireNoLegalHold,
  setLegalHold,
} from './holds.ts';
export { listDropped, listPurges, listRestorable } from './list-drops.ts';
export { namespaceGoneError } from './namespace-gone-error.ts';
export { type RestoredPolicy, restorePolicies, revokePoliciesOf } from './policies.ts';
export {
  addPurged,
  claimPurges,
  finishPurges,
  type Purge,
  type PurgedTable,
  type PurgePosition,
  recordPurgeError,
} from './purge-tables.ts';
export { lockDrops, lockTarget, type StoredDrop, undropDetail, undropError, undropTable } from './undrop-table.ts';
