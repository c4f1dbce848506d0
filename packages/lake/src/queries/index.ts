export { duckdbEngine, type QueryEngine, queryEngine } from './engine.ts';
export { type Guarded, guard, type TableName, type TableVersion, tableKey } from './guard.ts';
export type { GuardRefusal } from './guard-refusal.ts';
export { jsonValue } from './json-values.ts';
export { sandboxLimits } from './limits.ts';
export type { QueryError } from './query-errors.ts';
export type {
  CatalogTable,
  ExternalFormat,
  Policies,
  Relation,
  Resolve,
  TableAsked,
  VersionRefused,
} from './relations.ts';
export type { ResultColumn } from './result-columns.ts';
export { type ResultPage, ResultReader } from './result-reader.ts';
export {
  type DescribeOutcome,
  describeQuery,
  type QueryOutcome,
  type QueryOutput,
  type QueryRequest,
  runQuery,
} from './run-query.ts';
export { Sandbox, type SandboxLimits, type SandboxOptions } from './sandbox.ts';
