export {
  type Answer,
  type AnyEndpoint,
  decided,
  type Endpoint,
  endpoint,
  isStreamBody,
  type Method,
  type Need,
  needs,
  type Shape,
  type StreamBody,
  signedIn,
} from './endpoint.ts';
export { instantText, readInstant } from './instant.ts';
export {
  anyCaseWord,
  cursor,
  filterName,
  flag,
  integerText,
  LIMIT_DEFAULT,
  LIMIT_MAX,
  limit,
  paging,
  search,
  wait,
  wholePaging,
  words,
} from './query.ts';
export { isStorable } from './storable.ts';
export { trimEnd } from './trim-end.ts';
