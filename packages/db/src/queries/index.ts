export { type ClaimedQuery, claimQuery, type QueryClaim, requeueQuery, unstoredClaim } from './claim-query.ts';
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
  setProgress,
} from './finish-query.ts';
export { openFinishedQueries, type StoreFinishedQuery } from './finished-queries.ts';
export { LocalDispatcher, type LocalQuery, type StartedQuery } from './local-dispatcher.ts';
export { type FirstLease, isLong, type NewQuery, newRecord } from './new-query.ts';
export type { QueryCompletion, QueryResult, QueryStatusChange } from './query-outcome.ts';
export { queryRecord, type ResultColumn, type StoredQuery } from './stored-query.ts';
export { storeRunning, submitQuery } from './submit-query.ts';
