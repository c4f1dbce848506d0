export { expireTables } from './expire-tables.ts';
