export {
  endWrite,
  findWrite,
  type NewWrite,
  type StoredWrite,
  stagedInUse,
  submitWrite,
  type WriteEnd,
  writeRecord,
} from './writes.ts';
