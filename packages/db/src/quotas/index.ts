export { findQuotas, type QuotaUse, readQuotaUse, setQuotas, storageUsed } from './quotas.ts';
export { assignSlots, environmentsWaiting, moveQueuedToWaiting } from './slots.ts';
