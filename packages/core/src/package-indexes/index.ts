export { type BuildPass, type CredentialedIndex, planPasses } from './build-passes.ts';
export { type PackageIndex, packageIndexEndpoints, packageIndexSchema } from './contract.ts';
export { addressOf, addressText } from './index-address.ts';
export {
  checkIndexUrl,
  comparableUrl,
  type IndexAddress,
  type IndexUrlFailure,
  type IndexUrlResult,
  withoutUser,
} from './index-url.ts';
export { LOCK_FILE, type LockFailure, WHEELHOUSE } from './lock.ts';
export type { LockInput, OuterConfiguration } from './lock-input.ts';
export { outdatedLock } from './outdated-lock.ts';
export * from './public-hosts.ts';
export {
  credentialFailure,
  type IndexFailure,
  type IndexSecret,
  type RegisteredIndex,
  storedUrlFailure,
} from './stored-index.ts';
export { type LockFetch, type LockVerdict, verifyLock } from './verify-lock.ts';
