export {
  type Maintenance,
  type MaintenanceResult,
  maintenanceEndpoints,
  type NewMaintenance,
} from './contract.ts';
