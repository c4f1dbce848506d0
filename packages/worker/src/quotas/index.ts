export { assignFreeSlots, slotsLoop } from './slots.ts';
export { storageQuotaFailure } from './storage-quota.ts';
