export {
  type LineageColumn,
  type LineageEdge,
  type LineageTable,
  lineageEndpoints,
  MAX_BUILD_COLUMNS,
  MAX_LINEAGE_COLUMNS,
  MAX_LINEAGE_TABLES,
  type TableLineage,
} from './contract.ts';
