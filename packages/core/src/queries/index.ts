export {
  type AffectedRows,
  hiddenTextSchema,
  INTO_MODES,
  type IntoMode,
  QUERY_SOURCES,
  QUERY_STATUSES,
  type Query,
  type QueryOrigin,
  type QueryStatus,
  queryEndpoints,
  querySchema,
  RESULT_FORMATS,
  RESULT_LIMIT_MAX,
  type ResultFormat,
  type ResultPage,
  resultColumnSchema,
  resultPageSchema,
  type SubmittedQuery,
  submittedQuerySchema,
} from './contract.ts';
export {
  isWrittenType,
  type QueryParam,
  type QueryParams,
  queryParamsSchema,
  WRITTEN_TYPES,
} from './parameters.ts';
export { sandboxOwner } from './sandbox-owner.ts';
export { statementFault } from './statement-size.ts';
