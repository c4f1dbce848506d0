export { type ClaimedQuery, claimQuery, type QueryClaim } from './claim-query.ts';
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
export { QueryDesk, type QueryPlace } from './query-desk.ts';
export { queryRecord, type ResultColumn, type StoredQuery } from './stored-query.ts';
export { type NewQuery, submitClaimed, submitQuery } from './submit-query.ts';
