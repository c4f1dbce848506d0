export {
  hiddenTextSchema,
  INTO_MODES,
  type IntoMode,
  QUERY_STATUSES,
  type Query,
  type QueryStatus,
  queryEndpoints,
  querySchema,
  RESULT_LIMIT_MAX,
  type ResultPage,
  resultColumnSchema,
  resultPageSchema,
} from './contract.ts';
