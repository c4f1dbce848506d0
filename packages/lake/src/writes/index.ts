export {
  type ExternalColumns,
  inferExternalColumns,
  listExternalFiles,
  mayShareFiles,
} from './external-files.ts';
export type { LoadFormat } from './file-sources.ts';
export { type InferredColumns, inferLoadColumns } from './infer-columns.ts';
export { type LoadOutcome, type LoadRequest, load } from './load.ts';
export type { LoadError } from './load-errors.ts';
export type { StagedFile } from './local-files.ts';
export { filledTypeText, type Untyped } from './untyped-columns.ts';
