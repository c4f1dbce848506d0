export { type ClaimedQuery, claimQuery } from './claim-query.ts';
export {
  cancelledAmong,
  cancelQuery,
  type EndedQuery,
  endQuery,
  type QueryEnd,
  type QueryResult,
  setProgress,
  takeExpiredResults,
} from './end-query.ts';
export {
  findQuery,
  listQueries,
  type QueryListFilter,
  type QueryPosition,
  retireQueries,
} from './find-query.ts';
export { queryRecord, type ResultColumn, type StoredQuery } from './stored-query.ts';
export { type NewQuery, submitQuery } from './submit-query.ts';
