export {
  advanceJobs,
  type DueSchedules,
  lockDueSchedules,
  lockLaterJobs,
  lockOutdatedJobs,
  readSchedulerState,
  type SchedulerState,
  setPaused,
  skipDueTimes,
} from './due.ts';
export { type EnqueuedTime, type EnqueueResult, enqueueDueJobs } from './enqueue.ts';
export {
  compareJobs,
  jobRecord,
  listJobs,
  lockJobs,
  type Reconciliation,
  reconcileJobs,
  removeJobs,
  type StoredJob,
} from './jobs.ts';
export {
  dropStartsOf,
  findWaitingStart,
  finishStarts,
  hasWaitingStart,
  lockReadyStarts,
  type ReadyStart,
  type StartOutcome,
  type StartRequest,
  type WaitingStart,
  waitToStart,
} from './starts.ts';
