export { executeMaintenance } from './execute-maintenance.ts';
