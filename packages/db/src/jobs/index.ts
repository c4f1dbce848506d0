export { advanceJobs, type DueJob, nextDue, setPaused, takeDueJobs } from './due.ts';
export {
  compareJobs,
  jobRecord,
  listJobs,
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
