export { type DescribeOutcome, describeQuery } from './describe-query.ts';
export { earlierSql } from './earlier-sql.ts';
export { type ExplainOutcome, explainQuery } from './explain/explain-query.ts';
export type { PlanNode } from './explain/plan-nodes.ts';
export { firstRowsSql } from './first-rows-sql.ts';
export { type OpenQuery, openQuery } from './open-query.ts';
export { isBound } from './policies.ts';
export type { QueryEngine } from './query-engine.ts';
export { type QueryError, QueryRejectedError, quotesNothing, tableNotFound, withSimilarTable } from './query-errors.ts';
export type { OpenRequest, QueryOutcome, QueryOutput, QueryRequest } from './query-request.ts';
export { readStatements, type StatementRead } from './read-statements.ts';
export {
  INFORMATION_TABLES,
  type InformationTable,
  informationSql,
  type VisibleObjects,
} from './relations/information-schema.ts';
export type {
  CatalogTable,
  ExternalFormat,
  InlineRows,
  InlineType,
  Policies,
  PolicyField,
  PolicyRecord,
  PolicyUse,
  Relation,
  RelationFailure,
  RequestedTable,
  Resolve,
} from './relations/relations.ts';
export type { ResultColumn, ResultPage } from './results/result-columns.ts';
export { ResultReader } from './results/result-reader.ts';
export { ResultTooLargeError } from './results/result-too-large.ts';
export { ChangeParameters } from './row-changes/change-parameters.ts';
export {
  CHANGE_TABLES,
  countSql,
  insertSql,
  keyFaultsSql,
  matchesSql,
  mergeByKey,
  mergeInsertSql,
  positionsSql,
  type Rewriting,
  rewrittenSql,
  summarySql,
  undeletedSql,
} from './row-changes/change-sql.ts';
export { runQuery } from './run-query.ts';
export { isAlive } from './sandbox/is-alive.ts';
export { parentDeathSignal } from './sandbox/launchers.ts';
export type { SandboxLimits } from './sandbox/limits.ts';
export { sandboxLimits } from './sandbox/limits.ts';
export { unrestrictedBecause } from './sandbox/restricted.ts';
export { Sandbox, type SandboxOptions } from './sandbox/sandbox.ts';
export { type Guarded, guard, type TableName, type TableVersion, tableKey } from './statement/guard.ts';
export type { GuardFailure } from './statement/guard-error.ts';
export { isVectorColumn, SYSTEM_OIDS } from './statement/postgres/columns.ts';
export type { NamedAt } from './statement/read-statement.ts';
export { type PolicyResult, type PolicyTable, validatePolicy } from './validate-policy.ts';
