export {
  type AnyEndpoint,
  anySession,
  decided,
  type Endpoint,
  endpoint,
  isStreamBody,
  type Method,
  type Need,
  needs,
  type ResponseSpec,
  SESSION_LIMITS,
  type SessionLimit,
  type Shape,
  type StreamBody,
  signedIn,
} from './endpoint.ts';
export { instantText, readInstant, zonedTime } from './instant.ts';
export {
  anyCaseEnum,
  cursor,
  enumList,
  filterName,
  flag,
  integerText,
  LIMIT_DEFAULT,
  LIMIT_MAX,
  limit,
  paging,
  search,
  unpagedByDefault,
  wait,
} from './query.ts';
export { isStorable } from './storable.ts';
export { trimEnd } from './trim-end.ts';
