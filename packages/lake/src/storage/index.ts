export { openLocalStore } from './local-store.ts';
export type { ObjectStore, RemovalCounts, Stage, StoreRoot } from './object-store.ts';
export { openStore } from './open-store.ts';
export { isDiskFull, isFolderFault, isOutage, storageFailure } from './outage.ts';
export { locationError, RECORDED_FOLDERS } from './own-location.ts';
export type { OwnKeys, OwnStorage, OwnStorages } from './own-storage.ts';
export { routedStore } from './routed-store.ts';
export {
  type RequestedObjects,
  type RequestSigner,
  type SignedRequest,
  UnsignableRequestError,
  type UnsignedRequest,
} from './signable-request.ts';
export { type StorageOptions, storageOptions } from './storage-options.ts';
export { validateStorage } from './validate-storage.ts';
export type { CredentialRequest, VendedCredentials } from './vended-credentials.ts';
