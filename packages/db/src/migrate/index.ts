export { migrationsFolder } from './folder.ts';
export { MigrationError, migrate, schemaVersion } from './migrate.ts';
