export type { WorkerDeps, WorkStep } from './deps.ts';
export { LeaderElector } from './leader-elector.ts';
export { startLoop } from './loop.ts';
export { batchStatements } from './statements.ts';
export { tracedEngine } from './traced.ts';
