export { type Enforcement, findEnforcement } from './find-enforcement.ts';
export type { RelayProcess } from './launch.ts';
export { LIMIT_CODES, limitFailure, limitSetting } from './limit-failure.ts';
export { removeFolder } from './remove-folder.ts';
export { type Limited, type LimitedResult, runLimited } from './run-limited.ts';
export { type Breach, limitsOf, type TaskLimits } from './task-limits.ts';
