export { type DroppedTable, dropEndpoints, type TablePurge } from './contract.ts';
export {
  chooseDrop,
  type Drop,
  type DropReason,
  ownsFiles,
  purgeAfter,
  type UndropFailure,
  undropFailure,
} from './rules.ts';
