export type { AuditFormerHead, AuditSignedHead, AuditVerification } from './audit.ts';
export { SvcClient, type SvcClientOptions } from './client.ts';
export { DEFAULT_URL } from './defaults.ts';
export {
  BadRequest,
  Conflict,
  ConnectionError,
  Forbidden,
  type InputError,
  NotFound,
  PayloadTooLarge,
  type SecondFactorChallenge,
  ServerError,
  SvcError,
  TimeoutError,
  TooManyRequests,
  Unauthorized,
  Unavailable,
  UnprocessableEntity,
  WorkFailed,
} from './errors.ts';
export type { StreamedEvent } from './events.ts';
export type * from './generated/options.ts';
export type { Job, JobStart, OfRepository, Trigger, WaitingStart } from './jobs.ts';
export type { NewPackageIndex, PackageIndexChanges } from './package-indexes.ts';
export type { Parameter, Parameters } from './parameters.ts';
export type { PathAnswer, PathRequest } from './path-request.ts';
export { allowsInsecure, encryptedOnly, requireEncryption } from './plain-http.ts';
export { DEFAULT_PROFILE, isAddressOf, type Profile, readProfiles } from './profiles.ts';
export type { RunOptions, SubmitOptions } from './queries.ts';
export type * from './records.ts';
export { redactor } from './redact.ts';
export type { BreakGlass, CallOptions, ClientParts, Page, PartHash, RequestOptions } from './request.ts';
export type { AnswerOf, BodyOf, ItemOf, ParamsOf, QueryOf, RouteName } from './routes.ts';
export type { ArrowTable, QueryResult, Row, RunningQuery } from './running-query.ts';
export type { ServiceState } from './service.ts';
export type { CloneOptions, CreatedTable, CsvOptions, LoadFormat, LoadOptions, RetentionRule } from './tables.ts';
export type { Transport, TransportAnswer, TransportRequest, UploadBody } from './transport.ts';
export { isSentInParts, type NamedFile, type UploadFile } from './upload-file.ts';
export type { WaitOptions } from './wait.ts';
export { type SubjectTokens, subjectTokensOf } from './workload-identity.ts';
