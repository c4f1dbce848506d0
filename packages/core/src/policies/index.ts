export { type ColumnMask, policyEndpoints, type RowFilter } from './contract.ts';
