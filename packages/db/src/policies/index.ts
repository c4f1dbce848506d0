export { type BindingPolicies, bindingPolicies } from './binding-policies.ts';
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
