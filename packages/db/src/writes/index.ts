export {
  findWrite,
  finishWrite,
  type NewWrite,
  type StoredWrite,
  submitWrite,
  type WriteOutcome,
  writeRecord,
} from './writes.ts';
