export { advanceJobs, type DueJob, setPaused, takeDueJobs, takeOutdatedJobs } from './due.ts';
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
  type StartEnd,
  type StartRequest,
  takeReadyStarts,
  type WaitingStart,
  waitToStart,
} from './starts.ts';
