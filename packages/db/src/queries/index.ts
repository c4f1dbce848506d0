export { type ClaimedQuery, claimQuery, type QueryClaim, requeueAsLong } from './claim-query.ts';
export {
  findQuery,
  listQueries,
  type QueryListFilter,
  type QueryPosition,
  retireQueries,
} from './find-query.ts';
export {
  cancelQuery,
  claimExpiredResults,
  filterCancelledQueries,
  finishQuery,
  type QueryCompletion,
  type QueryResult,
  type QueryStatusChange,
  setProgress,
} from './finish-query.ts';
export { LocalDispatcher, type LocalQuery, type QuerySlot, type SlotRequest } from './local-dispatcher.ts';
export { queryRecord, type ResultColumn, type StoredQuery } from './stored-query.ts';
export { type NewQuery, submitClaimed, submitQuery } from './submit-query.ts';
