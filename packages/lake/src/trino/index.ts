export type { StagingRequest, StagingTable, StartStaging } from './staging.ts';
export { type TrinoOptions, trinoEngine } from './trino-engine.ts';
