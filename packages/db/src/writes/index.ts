export {
  filesOfWrite,
  filterStoppedWrites,
  findWrite,
  finishWrite,
  type NewWrite,
  type StagedParts,
  type StoredWrite,
  setWriteProgress,
  submitWrite,
  type WriteOutcome,
  writeRecord,
} from './writes.ts';
