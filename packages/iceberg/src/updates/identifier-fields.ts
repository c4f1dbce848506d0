import { currentSchema, type IcebergField, type TableMetadata } from '../metadata/metadata.ts';
import { SchemaChangeError } from './schema-change-error.ts';
import { unknownColumn } from './unknown-column.ts';

/** The types that an identifier field can't have: equal rows could have different values. */
const INEXACT = new Set<unknown>(['float', 'double']);

/**
 * The ids of the columns that identify a row. Iceberg allows required ones of primitive types other than float and double.
 *
 * @throws SchemaChangeError
 */
export function identifierFieldIds(fields: readonly IcebergField[], names: readonly string[]): number[] {
  const refuse = (message: string) => new SchemaChangeError('identifier_fields', message);
  const ids = names.map((name) => {
    const field = fields.find((one) => one.name.toLowerCase() === name.toLowerCase());
    if (field === undefined) throw refuse(unknownColumn(name, fields));
    if (!field.required) throw refuse(`column ${field.name} may be null; only required columns can identify a row`);
    if (typeof field.type !== 'string' || INEXACT.has(field.type))
      throw refuse(
        `column ${field.name} can't identify a row: its type must be primitive, and neither float nor double`,
      );
    return field.id;
  });
  if (new Set(ids).size < ids.length) throw refuse('names a column twice');
  return ids;
}

/** The names of the columns that identify a row of the table; empty if it declares none. */
export function identifierFields(metadata: TableMetadata): string[] {
  const schema = currentSchema(metadata);
  const ids = new Set(schema['identifier-field-ids']);
  return schema.fields.filter(({ id }) => ids.has(id)).map(({ name }) => name);
}
