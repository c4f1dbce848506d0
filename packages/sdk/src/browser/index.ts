// The client for browsers: the methods, records and errors of the main entry, without parts of Node.
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
} from '../errors.ts';
export type { StreamedEvent } from '../events.ts';
export type * from '../generated/options.ts';
export type { Job } from '../jobs.ts';
export type * from '../records.ts';
export type { CallOptions, ClientParts, Page, PartHash, RequestOptions } from '../request.ts';
export type { AnswerOf, BodyOf, ItemOf, ParamsOf, QueryOf, RouteName } from '../routes.ts';
export type { CsvOptions, LoadFormat } from '../tables.ts';
export { isSentInParts } from '../upload-file.ts';
export { SvcClient, type SvcClientOptions } from './client.ts';
