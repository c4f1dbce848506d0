export { openLocalStore } from './local-store.ts';
export { fileLocation, isDirect, isWithin, joinLocation, pathOfLocation } from './locations.ts';
export type { ObjectStore, RemovalCounts, Stage, StoredObject, StoreRoot } from './object-store.ts';
export { openStore } from './open-store.ts';
export { isDiskFull, isOutage, storageTrouble } from './outage.ts';
export type { OwnKeys, OwnStorage, OwnStorages } from './own-storage.ts';
export { canonicalLocation, refusedPlace, spelledLocation } from './places.ts';
export { routedStore } from './routed-store.ts';
export type { S3Options } from './s3-options.ts';
export { s3Options } from './s3-options.ts';
export {
  type RequestedObjects,
  type RequestSigner,
  type SignedRequest,
  UnsignableRequestError,
  type UnsignedRequest,
} from './signable-request.ts';
export { StorageError } from './storage-error.ts';
export { tryStorage } from './try-storage.ts';
