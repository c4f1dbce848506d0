export { batched } from './batched.ts';
export { jsonText } from './json-text.ts';
export type { Handler, Listen } from './listen.ts';
export { type Log, silent } from './log.ts';
export { type Database, type DatabaseOptions, openDatabase, type Transaction } from './open.ts';
export { traceparentOf } from './spans.ts';
export { sqlState } from './sql-state.ts';
export { inTransaction, isConflict, isOverload, type TransactionOptions } from './transaction.ts';
export { DatabaseUnreachableError } from './unreachable.ts';
