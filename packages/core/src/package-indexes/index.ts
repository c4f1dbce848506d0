export { type PackageIndex, packageIndexEndpoints, packageIndexSchema } from './contract.ts';
export {
  checkIndexUrl,
  comparableUrl,
  type IndexAddress,
  type IndexUrlProblem,
  type IndexUrlResult,
  withoutUser,
} from './index-url.ts';
export { judgeLock, LOCK_FILE, type LockInput, type LockVerdict, WHEELHOUSE } from './judge-lock.ts';
export type { LockProblem } from './lock.ts';
export * from './public-hosts.ts';
