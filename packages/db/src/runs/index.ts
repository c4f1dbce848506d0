export { cancelledRunsAmong, cancelRun } from './cancel-run.ts';
export { findRun, listRuns, type RunFilter } from './find-run.ts';
export { appendLog, type NewLogLine, readLog } from './logs.ts';
export { type NewRun, type PlannedTask, startRun, startRuns } from './start-run.ts';
export { runRecord, type StoredRun } from './stored-run.ts';
export {
  closeLostRun,
  endRun,
  endTask,
  type RunEnd,
  retryTask,
  type StoredTaskRow,
  startTask,
  type TaskEnd,
  takeTasks,
} from './tasks.ts';
