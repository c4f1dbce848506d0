import { type ColumnType, formatColumnType } from '@svc/core/column-types';
import { currentSchema, type IcebergField, type IcebergSchema, type TableMetadata } from '../metadata/metadata.ts';
import { type Column, columnTypeOf, fieldsOfColumns } from '../values/field-types.ts';
import type { TableUpdate } from './draft.ts';
import { identifierFieldIds } from './identifier-fields.ts';
import { type SchemaChange, SchemaChangeError } from './schema-change-error.ts';
import { unknownColumn } from './unknown-column.ts';

/** Changes of a table's columns, in the order in which they take effect. Names ignore letter case. */
export interface SchemaChanges {
  /** New names by old ones. */
  readonly rename?: Readonly<Record<string, string>> | undefined;
  /** New types by column; only those that every stored value fits into. */
  readonly types?: Readonly<Record<string, string>> | undefined;
  /** All columns that identify a row; empty for none. */
  readonly identifier_fields?: readonly string[] | undefined;
  /** Columns that may be null from now on. */
  readonly optional?: readonly string[] | undefined;
  readonly drop?: readonly string[] | undefined;
  readonly add?: readonly Column[] | undefined;
  /** These columns first, in this order; the others follow. */
  readonly order?: readonly string[] | undefined;
}

/**
 * The updates that change the columns of a table. Data files stay as they are: their columns are found by field id.
 *
 * @throws SchemaChangeError
 */
export function alterSchema(metadata: TableMetadata, changes: SchemaChanges): TableUpdate[] {
  const columns = new Columns(metadata);
  for (const [from, to] of Object.entries(changes.rename ?? {})) columns.rename(from, to);
  for (const [name, type] of Object.entries(changes.types ?? {})) columns.widen(name, type);
  if (changes.identifier_fields !== undefined) columns.identify(changes.identifier_fields);
  for (const name of changes.optional ?? []) columns.makeOptional(name);
  for (const name of changes.drop ?? []) columns.drop(name);
  columns.add(changes.add ?? []);
  columns.order(changes.order ?? []);
  return columns.updates();
}

class Columns {
  private readonly metadata: TableMetadata;
  private readonly schema: IcebergSchema;
  private fields: readonly IcebergField[];
  private lastId: number;
  private identifiers: readonly number[];

  constructor(metadata: TableMetadata) {
    this.metadata = metadata;
    this.schema = currentSchema(metadata);
    this.fields = this.schema.fields;
    this.lastId = metadata['last-column-id'];
    this.identifiers = this.schema['identifier-field-ids'] ?? [];
  }

  replace(change: SchemaChange, name: string, as: (field: IcebergField) => IcebergField): void {
    const found = this.find(change, name);
    this.fields = this.fields.map((field) => (field === found ? as(field) : field));
  }

  rename(from: string, to: string): void {
    const found = this.find('rename', from);
    const other = this.fields.find((field) => field !== found && isSame(field.name, to));
    if (other !== undefined) throw new SchemaChangeError('rename', `the table already has a column ${other.name}`);
    this.replace('rename', from, (field) => ({ ...field, name: to }));
  }

  widen(name: string, type: string): void {
    const found = this.find('types', name);
    const wanted = fieldsOfColumns([{ name, type }]).fields[0]!.type;
    const [before, after] = [columnTypeOf(found.type), columnTypeOf(wanted)];
    if (!isWidening(before, after)) {
      const types = `${formatColumnType(before)} can't become ${formatColumnType(after)}`;
      const allowed = 'int can become long, float double, and a decimal one with more digits before the point';
      throw new SchemaChangeError('types', `column ${found.name}: ${types}; ${allowed}`);
    }
    this.replace('types', name, (field) => ({ ...field, type: wanted }));
  }

  identify(names: readonly string[]): void {
    this.identifiers = identifierFieldIds(this.fields, names);
  }

  makeOptional(name: string): void {
    const found = this.find('optional', name);
    if (this.identifiers.includes(found.id))
      throw new SchemaChangeError('optional', `${found.name} identifies the rows of the table`);
    this.replace('optional', name, (field) => ({ ...field, required: false }));
  }

  drop(name: string): void {
    const found = this.find('drop', name);
    const uses = [
      ...this.metadata['partition-specs'].flatMap((spec) =>
        spec.fields.filter(({ transform }) => transform !== 'void'),
      ),
      ...this.metadata['sort-orders'].flatMap((order) => order.fields),
    ];
    if (uses.some((use) => use['source-id'] === found.id))
      throw new SchemaChangeError('drop', `the table is partitioned or sorted by ${found.name}`);
    if (this.identifiers.includes(found.id))
      throw new SchemaChangeError('drop', `${found.name} identifies the rows of the table`);
    this.fields = this.fields.filter((field) => field !== found);
    if (this.fields.length === 0) throw new SchemaChangeError('drop', 'a table needs at least one column');
  }

  add(columns: readonly Column[]): void {
    for (const { name, nullable } of columns) {
      if (this.fields.some((field) => isSame(field.name, name)))
        throw new SchemaChangeError('add', `the table already has a column ${name}`);
      if (nullable === false)
        throw new SchemaChangeError(
          'add',
          `column ${name} can't be required, because existing rows have no value for it`,
        );
    }
    const made = fieldsOfColumns(columns, this.lastId);
    this.lastId = made.lastColumnId;
    this.fields = [...this.fields, ...made.fields];
  }

  order(names: readonly string[]): void {
    const first = names.map((name) => this.find('order', name));
    if (new Set(first).size < first.length) throw new SchemaChangeError('order', 'names a column twice');
    this.fields = [...first, ...this.fields.filter((field) => !first.includes(field))];
  }

  updates(): TableUpdate[] {
    const { 'identifier-field-ids': _, ...bare } = this.schema;
    const identifiers = this.identifiers.length === 0 ? {} : { 'identifier-field-ids': this.identifiers };
    const schema = { ...bare, ...identifiers, 'schema-id': -1, fields: this.fields };
    return [
      { action: 'add-schema', schema, 'last-column-id': this.lastId },
      { action: 'set-current-schema', 'schema-id': -1 },
    ];
  }

  private find(change: SchemaChange, name: string): IcebergField {
    const found = this.fields.find((field) => isSame(field.name, name));
    if (found !== undefined) return found;
    throw new SchemaChangeError(change, unknownColumn(name, this.fields));
  }
}

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** The type promotions of Iceberg. */
function isWidening(before: ColumnType, after: ColumnType): boolean {
  if (before.kind === 'decimal' && after.kind === 'decimal')
    return before.scale === after.scale && after.precision >= before.precision;
  return (
    (before.kind === 'int' && after.kind === 'long') ||
    (before.kind === 'float' && after.kind === 'double') ||
    formatColumnType(before) === formatColumnType(after)
  );
}
