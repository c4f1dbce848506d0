export {
  type CheckResult,
  type LogLine,
  logLineSchema,
  type Run,
  type RunTask,
  type RunTrigger,
  runEndpoints,
  runSchema,
  TASK_STATUSES,
  type TaskStatus,
  TRIGGERS,
  taskSchema,
} from './contract.ts';
export { runStarted } from './run-started.ts';
