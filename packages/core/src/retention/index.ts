export { type ExpiringTable, retentionEndpoints, type TableRetention } from './contract.ts';
export { retentionDetail } from './detail.ts';
export {
  expiresSoon,
  hasPassed,
  isAfterToday,
  isShortened,
  NO_RULE,
  type OwnRule,
  type Retention,
  type RetentionFacts,
  retentionOf,
  rightToChange,
} from './rules.ts';
