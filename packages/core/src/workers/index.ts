export {
  type ReportedLimits,
  TASK_ISOLATIONS,
  type TaskIsolation,
  type Worker,
  workerEndpoints,
} from './contract.ts';
export { ENFORCED_BY, type EnforcedBy, TASK_LIMITS, type TaskLimitName, taskLimitText } from './limits.ts';
export { Slots } from './slots.ts';
