export {
  isFinished,
  LOAD_MODES,
  type LoadMode,
  WORK_MOVES,
  WORK_STATUSES,
  type WorkStatus,
  type Write,
  writeEndpoints,
  writeSchema,
} from './contract.ts';
export { LOAD_MEDIA_TYPES } from './media-types.ts';
