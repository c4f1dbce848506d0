export { type EnvironmentQuotas, quotaEndpoints } from './contract.ts';
export { type DefaultQuotas, type OwnQuotas, queryLimit, storageExceeded, storageLimit } from './rules.ts';
