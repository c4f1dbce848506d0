export { sweepLoops } from './loops.ts';
