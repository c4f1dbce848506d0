export {
  type ReportedLimits,
  TASK_ISOLATIONS,
  TASK_NETWORKS,
  type TaskIsolation,
  type TaskNetworkKind,
  type Worker,
  workerEndpoints,
} from './contract.ts';
export { MAX_LEASE_SECONDS } from './lease.ts';
export { ENFORCED_BY, type EnforcedBy, TASK_LIMITS, type TaskLimitName, taskLimitText } from './limits.ts';
export { Slots } from './slots.ts';
