export { createTestDatabase, type TestDatabase } from './create-test-database.ts';
export { statementBlocked } from './statement-blocked.ts';
