export {
  type AttemptOutcome,
  claimDeliveries,
  type Delivery,
  finishAttempt,
  queueDelivery,
  removeOldDeliveries,
} from './deliveries.ts';
export { notifyingJobs } from './notifying-jobs.ts';
