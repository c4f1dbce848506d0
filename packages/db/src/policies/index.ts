export { boundExternalLocations } from './bound-external.ts';
export { boundTableNames } from './bound-names.ts';
export { boundTables, isBoundIncludingDropped } from './bound-tables.ts';
export { isBoundWithout } from './bound-without.ts';
export {
  createColumnMask,
  createRowFilter,
  deletePolicy,
  findColumnMask,
  findRowFilter,
  listColumnMasks,
  listRowFilters,
  type PolicyLocation,
  type PolicyTarget,
  revokePoliciesFor,
} from './policies.ts';
export { bindPolicy, clearBroken, markBroken, type PolicyKey, type StoredField } from './policy-state.ts';
export {
  type BindingPolicy,
  type FindReadableTable,
  findReadableTable,
  openReadableTables,
  type ReadableTable,
  type TableAccess,
} from './readable-table.ts';
