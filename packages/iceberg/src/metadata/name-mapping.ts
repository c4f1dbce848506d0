import { UnsupportedTableError } from '../errors/table-errors.ts';
import type { TableMetadata } from './metadata.ts';
import { parseLossless } from './parse-lossless.ts';

/** The column names for files without field ids (table property `schema.name-mapping.default`). */
export type NameMapping = readonly MappedField[];
export type MappedField = {
  readonly 'field-id'?: number;
  readonly names: readonly string[];
  readonly fields?: NameMapping;
};

export function nameMappingOf(metadata: TableMetadata): NameMapping | null {
  const text = metadata.properties['schema.name-mapping.default'];
  if (text === undefined) return null;
  try {
    const parsed = parseLossless(text);
    if (Array.isArray(parsed) && parsed.every(isMapped)) return parsed as NameMapping;
  } catch {
    // Reported below.
  }
  throw new UnsupportedTableError("The table's property schema.name-mapping.default can't be parsed.");
}

function isMapped(value: unknown): boolean {
  const field = value as Partial<MappedField> | null;
  if (typeof field !== 'object' || field === null || !Array.isArray(field.names)) return false;
  if (field.names.some((name) => typeof name !== 'string')) return false;
  if (field['field-id'] !== undefined && !Number.isSafeInteger(field['field-id'])) return false;
  return field.fields === undefined || (Array.isArray(field.fields) && field.fields.every(isMapped));
}
