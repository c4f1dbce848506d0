export { schedulerLoop } from './scheduler.ts';
export { startDroppedEvent } from './start-dropped.ts';
