export { sweepLoops } from './loops.ts';
export { removeOrphans } from './orphans.ts';
