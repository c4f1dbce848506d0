export { readBacklog } from './backlog.ts';
export {
  acquireLeaderLease,
  type LeaderLease,
  leaderLeaseExpiry,
  lockLeaderLease,
  releaseLeaderLease,
  shortenLeaderLease,
} from './leader-lease.ts';
export { stopWork } from './stop-work.ts';
export {
  announceCancel,
  announceFinished,
  announceProgress,
  announceSchedules,
  announceWork,
  type Claim,
  claimSql,
  claimWork,
  forbidRetry,
  hasMoreSql,
  kindOf,
  LeaseLostError,
  queryQueue,
  releaseWork,
  renewLeases,
  requireLease,
  rescueExpiredLeases,
  WORK_KINDS,
  WORK_QUEUES,
  type WorkKind,
  type WorkQueue,
} from './work.ts';
