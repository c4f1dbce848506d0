export { createTestDatabase, type TestDatabase } from './create-test-database.ts';
export { ReplicatedServer } from './replicated-server.ts';
export { statementBlocked } from './statement-blocked.ts';
