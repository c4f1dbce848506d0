export { openLocalStore } from './local-store.ts';
export { fileLocation, isWithin, joinLocation, pathOfLocation } from './locations.ts';
export { type ObjectStore, type RemovalCounts, type Stage, StorageError, type StoredObject } from './object-store.ts';
export { openStore } from './open-store.ts';
export { canonicalLocation, refusedPlace } from './places.ts';
export { s3Options } from './s3-options.ts';
export {
  type AskedObjects,
  type RequestSigner,
  type SignedRequest,
  UnsignableRequestError,
  type UnsignedRequest,
} from './signable-request.ts';
