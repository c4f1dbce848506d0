export { type ExternalColumns, inferExternalColumns, inferLoadColumns, listExternalFiles } from './external-files.ts';
export { type LoadFormat, type LoadOutcome, type LoadRequest, load } from './load.ts';
export type { LoadError } from './load-errors.ts';
