export type { Holder, Me, MintedToken, WhoOptions } from './access.ts';
export type { AuditFilters, AuditFormerHead, AuditSignedHead, AuditVerification } from './audit.ts';
export { SvcClient, type SvcClientOptions } from './client.ts';
export { DEFAULT_URL } from './defaults.ts';
export type { DeployFilters } from './deploys.ts';
export type { OrphanedLocation, RemovedLocations } from './environments.ts';
export {
  BadRequest,
  Conflict,
  ConnectionError,
  Forbidden,
  type InputError,
  NotFound,
  PayloadTooLarge,
  ServerError,
  SvcError,
  TimeoutError,
  TooManyRequests,
  Unauthorized,
  Unavailable,
  UnprocessableEntity,
  WorkFailed,
} from './errors.ts';
export type { GrantFilters } from './grants.ts';
export type { Job, JobStart, OfRepository, Trigger, WaitingStart } from './jobs.ts';
export type { NewPackageIndex, PackageIndexChanges } from './package-indexes.ts';
export type { ColumnMask, RowFilter } from './policies.ts';
export type { ObjectsOptions, ReachedObject, ScopeOptions, SearchOptions } from './principals.ts';
export type { QueryFilters, QueryResult, Row, SubmitOptions } from './queries.ts';
export type * from './records.ts';
export type { BreakGlass, CallOptions, ClientParts, Page, RequestOptions } from './request.ts';
export type { AnswerOf, BodyOf, ItemOf, ParamsOf, QueryOf, RouteName } from './routes.ts';
export type { RunFilters } from './runs.ts';
export type { SecretTarget } from './secrets.ts';
export type { ServiceState } from './service.ts';
export type {
  CreatedTable,
  DroppedTable,
  ExpiringTable,
  LoadFormat,
  LoadOptions,
  MaintainOptions,
  RetentionRule,
  TableHealth,
  TablePurge,
  TableRetention,
  UndropOptions,
  WithinOptions,
} from './tables.ts';
export type { IssuedToken } from './tokens.ts';
export type { Transport, TransportAnswer, TransportRequest, UploadBody } from './transport.ts';
export type { WaitOptions } from './wait.ts';
