export {
  filesOfWrite,
  findWrite,
  finishWrite,
  type NewWrite,
  type StagedParts,
  type StoredWrite,
  submitWrite,
  type WriteOutcome,
  writeRecord,
} from './writes.ts';
