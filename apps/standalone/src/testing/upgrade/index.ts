export { type LoadBalancer, startLoadBalancer } from './load-balancer.ts';
export { buildOldVersion, NEW_FOLDER, newSchema, type OldVersion } from './old-version.ts';
export { admin, type Program, startServer, startWorker } from './programs.ts';
export { Traffic } from './traffic.ts';
