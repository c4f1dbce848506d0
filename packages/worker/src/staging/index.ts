export { stagingTables, stagingTablesOfTrino } from './staging-tables.ts';
