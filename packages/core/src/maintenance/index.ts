export { type ChosenColumns, type ColumnOption, chooseColumns } from './choose-columns.ts';
export {
  type Maintenance,
  type MaintenanceResult,
  maintenanceEndpoints,
  type NewMaintenance,
} from './contract.ts';
