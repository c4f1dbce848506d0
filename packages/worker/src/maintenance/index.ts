export { executeMaintenance } from './execute-maintenance.ts';
export { queueDueMaintenance } from './queue-due.ts';
