export type {
  ChangeOutcome,
  ChangeRequest,
  ChangeStaging,
  CompactRequest,
  RowStaging,
  StagingTable,
  StagingTables,
  TrinoEngine,
} from '../trino/index.ts';
export { type Engines, queryEngines } from './choose-engine.ts';
