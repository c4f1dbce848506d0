export {
  findWrite,
  finishWrite,
  type NewWrite,
  type StoredWrite,
  stagedInUse,
  submitWrite,
  type WriteOutcome,
  writeRecord,
} from './writes.ts';
