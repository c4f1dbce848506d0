export {
  createSavedQuery,
  deleteSavedQuery,
  findSavedQuery,
  listSavedQueries,
  type SavedQueryFields,
  type SavedQueryPosition,
  type StoredSavedQuery,
  savedQueryRecord,
  updateSavedQuery,
} from './saved-queries.ts';
