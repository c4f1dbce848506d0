import type { IcebergField, IcebergStruct } from './metadata.ts';

/** The fields from the top down to the one of an id, through structs alone; null when there is none. */
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
