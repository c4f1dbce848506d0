export { migrationNames, migrationsFolder } from './folder.ts';
export { MigrationError, migrate, planMigrations, schemaVersion } from './migrate.ts';
