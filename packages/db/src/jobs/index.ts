export { compareJobs, jobRecord, listJobs, type Reconciliation, reconcileJobs, type StoredJob } from './jobs.ts';
