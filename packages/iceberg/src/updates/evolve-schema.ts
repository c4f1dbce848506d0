import { isDeepStrictEqual } from 'node:util';
import { currentSchema, type IcebergField, type TableMetadata } from '../metadata/metadata.ts';
import { type Column, columnsOfFields, fieldsOfColumns } from '../values/field-types.ts';
import type { TableUpdate } from './draft.ts';

/** The fields for rows with these columns, and the updates that make them the table's schema. */
export type EvolvedSchema = {
  readonly fields: readonly IcebergField[];
  /** Empty if the schema doesn't change. */
  readonly updates: readonly TableUpdate[];
};

/**
 * The schema of a table whose contents are replaced. A column with the same name and type retains its field id, which
 * other engines rely on, and its description unless there is a new one. Other columns get new ids, and missing columns
 * are dropped.
 */
export function evolveSchema(metadata: TableMetadata, columns: readonly Column[]): EvolvedSchema {
  const schema = currentSchema(metadata);
  const existing = new Map(
    columnsOfFields(schema).map((column, i) => [column.name, { column, field: schema.fields[i]! }]),
  );
  let lastId = metadata['last-column-id'];
  const fields = columns.map((column): IcebergField => {
    const known = existing.get(column.name);
    if (known !== undefined && known.column.type === column.type) {
      const doc = column.description ? { doc: column.description } : {};
      return { ...known.field, required: known.field.required && column.nullable === false, ...doc };
    }
    const made = fieldsOfColumns([column], lastId);
    lastId = made.lastColumnId;
    return made.fields[0]!;
  });
  if (isDeepStrictEqual(fields, schema.fields)) return { fields: schema.fields, updates: [] };
  const required = new Set(fields.filter((field) => field.required).map(({ id }) => id));
  const identifiers = schema['identifier-field-ids'] ?? [];
  // Without one of its columns, the identifier no longer identifies a row.
  const isWhole = identifiers.length > 0 && identifiers.every((id) => required.has(id));
  const next = { fields, ...(isWhole ? { 'identifier-field-ids': identifiers } : {}) };
  return {
    fields,
    updates: [
      { action: 'add-schema', schema: { type: 'struct', 'schema-id': -1, ...next }, 'last-column-id': lastId },
      { action: 'set-current-schema', 'schema-id': -1 },
    ],
  };
}
