export { schedulerLoop } from './scheduler.ts';
export { startDropped } from './start-dropped.ts';
