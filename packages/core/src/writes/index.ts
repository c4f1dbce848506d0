export {
  isFinished,
  LOAD_MEDIA_TYPES,
  LOAD_MODES,
  type LoadMode,
  WORK_MOVES,
  WORK_STATUSES,
  type WorkStatus,
  type Write,
  writeEndpoints,
  writeSchema,
} from './contract.ts';
