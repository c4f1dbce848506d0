export { attemptsOf, type StoredAttempts } from './attempts.ts';
export {
  type CheckResult,
  type LogLine,
  logLineSchema,
  MAX_TIMELINE_RUNS,
  type Run,
  type RunSpan,
  type RunTask,
  type RunTimeline,
  type RunTrigger,
  runEndpoints,
  runSchema,
  TASK_STATUSES,
  type TaskAttempt,
  type TaskStatus,
  TRIGGERS,
  taskSchema,
} from './contract.ts';
export { failureLines, isFailureLine } from './failure-lines.ts';
export { runStarted } from './run-started.ts';
