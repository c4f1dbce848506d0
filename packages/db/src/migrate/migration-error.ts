/** The database doesn't match this version's migrations. The message says what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}
