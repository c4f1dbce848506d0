export type { WorkerDeps, WorkStep } from './deps.ts';
export { LeaderLease } from './leader-lease.ts';
export { startLoop } from './loop.ts';
export { tracedEngine } from './traced.ts';
