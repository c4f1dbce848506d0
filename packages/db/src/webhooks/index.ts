export {
  claimDeliveries,
  type Delivery,
  type DeliveryEnd,
  endTry,
  queueDelivery,
  removeOldDeliveries,
} from './deliveries.ts';
export { notifyingJobs } from './notifying-jobs.ts';
