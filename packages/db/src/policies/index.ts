export { boundTables } from './bound-tables.ts';
export {
  createColumnMask,
  createRowFilter,
  endPolicy,
  findColumnMask,
  findRowFilter,
  listColumnMasks,
  listRowFilters,
  type PolicyPlace,
  type PolicyTarget,
} from './policies.ts';
export { bindPolicy, clearBroken, markBroken, type PolicyKey, type StoredField } from './policy-state.ts';
export { type BindingPolicy, findReadableTable, type ReadableTable } from './readable-table.ts';
