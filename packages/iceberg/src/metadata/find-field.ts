import type { IcebergField, IcebergStruct } from './metadata.ts';

/** The path of fields from the top level to the field with an id, through structs only; null if not found. */
export function fieldPath(struct: IcebergStruct, id: number): readonly IcebergField[] | null {
  for (const field of struct.fields) {
    if (field.id === id) return [field];
    if (typeof field.type === 'string' || field.type.type !== 'struct') continue;
    const inner = fieldPath(field.type, id);
    if (inner) return [field, ...inner];
  }
  return null;
}

export function fieldById(struct: IcebergStruct, id: number): IcebergField | null {
  return fieldPath(struct, id)?.at(-1) ?? null;
}
