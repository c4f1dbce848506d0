export type { ChangeStaging, RowStaging, StagingTable, StagingTables } from './staging.ts';
export {
  type ChangeOutcome,
  type ChangeRequest,
  type CompactRequest,
  type TrinoEngine,
  type TrinoOptions,
  trinoEngine,
} from './trino-engine.ts';
