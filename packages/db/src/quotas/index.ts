export { findQuotas, type QuotaUse, readQuotaUse, setQuotas, storageUsed } from './quotas.ts';
export { addRequestCounts, type RequestCount, removeRequestCounts } from './request-counts.ts';
export { assignSlots, environmentsWaiting, moveQueuedToWaiting } from './slots.ts';
