export { environmentsWaiting, holdQueued, releaseSlots } from './places.ts';
export { findQuotas, type QuotaUse, readQuotaUse, setQuotas, storageUsed } from './quotas.ts';
