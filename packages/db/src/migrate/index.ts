export { migrationNames, migrationsFolder } from './folder.ts';
export { migrate, planMigrations, schemaVersion } from './migrate.ts';
export { MigrationError } from './migration-error.ts';
