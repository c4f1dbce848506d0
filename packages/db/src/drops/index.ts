export { abandonedCreations, foldersWithoutRecord, forgetCreations, isStarted, startCreation } from './creations.ts';
export { type DroppedNow, dropDetail, dropTable, type TableDrop } from './drop-table.ts';
export { heldAt, heldProblem } from './held.ts';
export { type Holdable, holdTable, releaseTable, takeHoldable } from './holds.ts';
export { listDropped, listPurges } from './list-drops.ts';
export { endPoliciesOf, type RestoredPolicy, restorePolicies } from './policies.ts';
export {
  addPurged,
  endPurges,
  notePurgeError,
  type Purge,
  type PurgedTable,
  type PurgePosition,
  takePurges,
} from './purge-tables.ts';
export { type StoredDrop, takeDrops, undropDetail, undropProblem, undropTable } from './undrop-table.ts';
