export { allowedAddress, type Resolve, systemResolve } from './addresses.ts';
export { type DownloadBudget, type GuardOptions, type GuardProxy, startGuardProxy } from './guard-proxy.ts';
export { type GuardSocket, startGuardSocket } from './guard-socket.ts';
export { ServiceRelay } from './service-relay.ts';
export { networkFailure, startTaskProxy, type TaskNetwork } from './task-network.ts';
export { type UpstreamProxy, upstreamOf, upstreamProxy } from './upstream-proxy.ts';
