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
export { type BindingPolicies, findReadableTable, type ReadableTable } from './readable-table.ts';
