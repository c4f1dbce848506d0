export { type ColumnMask, policyEndpoints, type RowFilter } from './contract.ts';
export { previewText, type QueryPreview } from './preview.ts';

/** The reason of a denial that no grant causes, in AUTHORIZATION_DENIED events. */
export const BOUND = 'a row filter or column mask on the table binds the caller';
