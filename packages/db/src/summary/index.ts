export { countRuns } from './count-runs.ts';
export { countTables, listRecentTables } from './recent-tables.ts';
