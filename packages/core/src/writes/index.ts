export {
  isFinished,
  LOAD_MODES,
  type LoadFields,
  type LoadMode,
  WORK_MOVES,
  WORK_STATUSES,
  type WorkStatus,
  type Write,
  writeEndpoints,
  writeSchema,
} from './contract.ts';
export {
  CSV_ENCODINGS,
  type CsvDialect,
  type CsvOptions,
  csvConflict,
  csvDialectSchema,
  csvFields,
  csvOptionsOf,
  DEFAULT_DIALECT,
  dialectOf,
} from './csv-options.ts';
export { isAllowedUrl } from './file-url.ts';
export { errorLimit } from './load-errors.ts';
export { LOAD_MEDIA_TYPES } from './media-types.ts';
