export { type ArchivedLog, findLogsToArchive, replaceByLogFiles } from './archived-logs.ts';
export { type AssetInputs, findAssetInputs, findViewInputs, type ViewInputs } from './asset-inputs.ts';
export { cancelRun, filterCancelledRuns } from './cancel-run.ts';
export { findRetries, findRun, listRuns, type RunFilter } from './find-run.ts';
export { appendLog, type NewLogLine, readLog } from './logs.ts';
export { runTimeline } from './run-timeline.ts';
export { type NewRun, type PlannedTask, startRun, startRuns } from './start-run.ts';
export { runRecord, type StoredRun } from './stored-run.ts';
export {
  closeLostRun,
  findAttempts,
  finishRun,
  finishTask,
  lockTasks,
  type RunOutcome,
  retryTask,
  type StoredTaskRow,
  startTask,
  type TaskOutcome,
} from './tasks.ts';
