export { stagingTables } from './staging-tables.ts';
