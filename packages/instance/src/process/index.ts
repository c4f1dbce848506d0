export { type RunningProcess, runProcess } from './run-process.ts';
export { Shutdown } from './shutdown.ts';
