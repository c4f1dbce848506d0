export { type ExpiringTable, retentionEndpoints, type TableRetention } from './contract.ts';
export { retentionDetail } from './detail.ts';
export {
  actionToChange,
  expiresSoon,
  hasPassed,
  isAfterToday,
  isShortened,
  NO_RULE,
  type Retention,
  type RetentionInput,
  type RetentionRule,
  retentionOf,
} from './rules.ts';
