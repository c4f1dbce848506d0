export type { StagingRequest, StagingTable, StartStaging } from '../trino/index.ts';
export { type Engines, queryEngines } from './choose-engine.ts';
