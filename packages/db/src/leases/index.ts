export { readBacklog } from './backlog.ts';
export { holdRole, type RoleLease, releaseRole, roleHeldUntil, stillHolds } from './role.ts';
export { stopWork } from './stop-work.ts';
export {
  announceCancel,
  announceEnd,
  announceSchedules,
  announceWork,
  type Claim,
  claimWork,
  forbidRetry,
  LeaseLostError,
  moreWaits,
  releaseWork,
  renewLeases,
  requireLease,
  rescueExpiredLeases,
  takeLongestWaiting,
  WORK_KINDS,
  type WorkKind,
} from './work.ts';
