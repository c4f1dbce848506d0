export { claimExpired, findExpired } from './expired.ts';
export { type EnvironmentRule, listExpiring } from './expiring.ts';
export { findEnvironmentRule, setEnvironmentRetention, setTableRetention } from './set-retention.ts';
