import { UnsupportedTableError } from '../errors/table-errors.ts';
import type { IcebergField, IcebergSchema, IcebergStruct, IcebergType } from '../metadata/metadata.ts';
import { allFields, columnTypeOf } from '../values/field-types.ts';

/** Maximum number of columns and nested fields. */
const MAX_FIELDS = 20_000;

/** Why untrusted JSON isn't a schema that the service supports, or null. */
export function schemaError(schema: IcebergSchema): string | null {
  if (!Array.isArray(schema.fields)) return '"schema" must have a list of fields.';
  try {
    for (const field of schema.fields) columnTypeOf(field.type);
    const all = [...allFields(schema)];
    for (const type of [schema, ...all.map((f) => f.type)]) {
      const error = isStruct(type) ? nameError(type.fields) : null;
      if (error !== null) return error;
    }
    if (schema.fields.some(({ doc }) => doc != null && typeof doc !== 'string'))
      return 'The doc of a column must be a string.';
    if (all.length > MAX_FIELDS)
      return `The schema has ${all.length} fields, but a table may have at most ${MAX_FIELDS}.`;
    const ids = all.map((f) => f.id);
    if (ids.some((id) => !Number.isSafeInteger(id) || id < 0)) return 'Field ids must be non-negative integers.';
    const unique = new Set<unknown>(ids);
    if (unique.size !== ids.length) return 'A field id appears twice in the schema.';
    const identifiers: unknown = schema['identifier-field-ids'] ?? [];
    if (!Array.isArray(identifiers) || identifiers.some((id) => !unique.has(id)))
      return '"identifier-field-ids" must be a list of ids of the schema\'s fields.';
    return null;
  } catch (error) {
    return error instanceof UnsupportedTableError ? error.message : "The schema isn't an Iceberg schema.";
  }
}

const isStruct = (type: IcebergType | IcebergSchema): type is IcebergStruct =>
  typeof type !== 'string' && 'fields' in type;

function nameError(fields: readonly IcebergField[]): string | null {
  const seen = new Set<string>();
  for (const { name } of fields) {
    if (typeof name !== 'string' || name === '' || name.length > 255) {
      return 'Column names must have 1 to 255 characters.';
    }
    if (seen.has(name.toLowerCase())) return `The column "${name}" appears twice (ignoring letter case).`;
    seen.add(name.toLowerCase());
  }
  return null;
}
