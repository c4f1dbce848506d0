export {
  type EnvironmentSummary,
  MAX_SUMMARY_TABLES,
  type RecentTable,
  type RunCounts,
  summaryEndpoints,
} from './contract.ts';
