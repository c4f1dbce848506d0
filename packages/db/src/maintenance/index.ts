export {
  findMaintenance,
  finishMaintenance,
  type MaintenanceOutcome,
  maintenanceRecord,
  type NewMaintenanceRow,
  type StoredMaintenance,
  submitMaintenance,
} from './maintenance.ts';
export { removeOldMaintenance } from './remove-old-maintenance.ts';
export { type DueMaintenance, tablesDue } from './tables-due.ts';
