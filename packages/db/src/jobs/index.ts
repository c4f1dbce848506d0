export {
  advanceJobs,
  type DueTime,
  type NextLook,
  nextLook,
  setPaused,
  takeDueTimes,
  takeOutdatedJobs,
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
  endStarts,
  findWaitingStart,
  hasWaitingStart,
  type ReadyStart,
  type StartEnd,
  type StartRequest,
  takeReadyStarts,
  type WaitingStart,
  waitToStart,
} from './starts.ts';
