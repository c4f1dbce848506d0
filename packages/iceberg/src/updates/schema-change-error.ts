/** The changes of a table's columns that a request may name. */
export type SchemaChange = 'rename' | 'types' | 'identifier_fields' | 'optional' | 'drop' | 'add' | 'order';

/** A change that the table doesn't allow; `change` is where it was requested. */
export class SchemaChangeError extends Error {
  readonly change: SchemaChange;

  constructor(change: SchemaChange, message: string) {
    super(message);
    this.change = change;
  }
}
