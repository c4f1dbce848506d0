export { allowedAddress, type Resolve, systemResolve } from './addresses.ts';
export { type DownloadBudget, type GuardOptions, type GuardProxy, startGuardProxy } from './guard-proxy.ts';
export { type UpstreamProxy, upstreamOf, upstreamProxy } from './upstream-proxy.ts';
