import { type ColumnType, formatColumnType, parseColumnType } from '@svc/core/tables';
import { UnsupportedTableError } from '../errors/table-errors.ts';
import type { IcebergField, IcebergStruct, IcebergType } from '../metadata/metadata.ts';

/** A column as people name it: `type` in wire spelling. */
export type Column = {
  readonly name: string;
  readonly type: string;
  readonly nullable?: boolean | undefined;
  readonly description?: string | null | undefined;
};

/** The wire type of an Iceberg type. `fixed[n]`, which other engines write, appears as binary. */
export function columnTypeOf(type: IcebergType): ColumnType {
  if (typeof type === 'string') return primitiveOf(type);
  switch (type.type) {
    case 'struct':
      return { kind: 'struct', fields: type.fields.map((f) => ({ name: f.name, type: columnTypeOf(f.type) })) };
    case 'list':
      return { kind: 'list', element: columnTypeOf(type.element) };
    case 'map':
      return { kind: 'map', key: columnTypeOf(type.key), value: columnTypeOf(type.value) };
    default:
      throw new UnsupportedTableError("The table has a column of a type that svc doesn't support.");
  }
}

function primitiveOf(text: string): ColumnType {
  if (/^fixed\s*\[\s*\d+\s*\]$/.test(text)) return { kind: 'binary' };
  const parsed = parseColumnType(text);
  const known = parsed.ok && !['list', 'map', 'struct'].includes(parsed.type.kind);
  if (!known) {
    const alternative = /^timestamp(?:tz)?_ns$/.test(text) ? ` Use ${text.slice(0, -3)}.` : '';
    const shown = text.slice(0, 60);
    throw new UnsupportedTableError(
      `svc doesn't support the column type "${shown}": it has the types of Iceberg version 2.${alternative}`,
    );
  }
  return parsed.type;
}

/** Assigns fresh field ids in Iceberg's order: the columns first, then their nested fields. */
export function fieldsOfColumns(
  columns: readonly Column[],
  lastId = 0,
): { fields: IcebergField[]; lastColumnId: number } {
  let next = lastId;
  const top = columns.map((column) => {
    const parsed = parseColumnType(column.type);
    if (!parsed.ok) throw new UnsupportedTableError(parsed.message);
    next += 1;
    return { id: next, column, type: parsed.type };
  });
  const nested = (type: ColumnType): IcebergType => {
    switch (type.kind) {
      case 'decimal':
        return `decimal(${type.precision}, ${type.scale})`;
      case 'list': {
        next += 1;
        const id = next;
        return { type: 'list', 'element-id': id, element: nested(type.element), 'element-required': false };
      }
      case 'map': {
        next += 2;
        const [key, value] = [next - 1, next];
        const inner = { key: nested(type.key), value: nested(type.value) };
        return {
          type: 'map',
          'key-id': key,
          key: inner.key,
          'value-id': value,
          value: inner.value,
          'value-required': false,
        };
      }
      case 'struct': {
        const ids = type.fields.map(() => ++next);
        const fields = type.fields.map((f, i) => ({
          id: ids[i]!,
          name: f.name,
          required: false,
          type: nested(f.type),
        }));
        return { type: 'struct', fields };
      }
      default:
        return type.kind;
    }
  };
  const fields = top.map(({ id, column, type }) => ({
    id,
    name: column.name,
    required: column.nullable === false,
    type: nested(type),
    ...(column.description ? { doc: column.description } : {}),
  }));
  return { fields, lastColumnId: next };
}

/** The columns of a schema as the interface writes them. */
export function columnsOfFields(struct: IcebergStruct): Required<Column>[] {
  return struct.fields.map((field) => ({
    name: field.name,
    type: formatColumnType(columnTypeOf(field.type)),
    nullable: !field.required,
    description: field.doc ?? null,
  }));
}

/** Every field of a struct with the ids of its nested fields, outer fields first. */
export function* allFields(struct: IcebergStruct): Generator<{ id: number; name: string; type: IcebergType }> {
  for (const field of struct.fields) {
    yield field;
    yield* nestedFields(field.type);
  }
}

/**
 * Every name by which engines find a field, with the field's id: `a.b`, and for structs in lists and maps also without `element` and
 * `value`.
 */
export function* fieldNames(struct: IcebergStruct, prefix = ''): Generator<{ id: number; name: string }> {
  for (const { id, name, type } of struct.fields) {
    yield { id, name: prefix + name };
    yield* nestedNames(type, `${prefix}${name}.`);
  }
}

function* nestedNames(type: IcebergType, prefix: string): Generator<{ id: number; name: string }> {
  if (typeof type === 'string') return;
  if (type.type === 'struct') yield* fieldNames(type, prefix);
  if (type.type === 'list') yield* innerNames({ id: type['element-id'], name: 'element', type: type.element }, prefix);
  if (type.type === 'map') {
    yield { id: type['key-id'], name: `${prefix}key` };
    yield* nestedNames(type.key, `${prefix}key.`);
    yield* innerNames({ id: type['value-id'], name: 'value', type: type.value }, prefix);
  }
}

function* innerNames({ id, name, type }: { id: number; name: string; type: IcebergType }, prefix: string) {
  yield { id, name: prefix + name };
  yield* nestedNames(type, `${prefix}${name}.`);
  if (typeof type !== 'string' && type.type === 'struct') yield* fieldNames(type, prefix);
}

function* nestedFields(type: IcebergType): Generator<{ id: number; name: string; type: IcebergType }> {
  if (typeof type === 'string') return;
  if (type.type === 'struct') yield* allFields(type);
  if (type.type === 'list') {
    yield { id: type['element-id'], name: 'element', type: type.element };
    yield* nestedFields(type.element);
  }
  if (type.type === 'map') {
    yield { id: type['key-id'], name: 'key', type: type.key };
    yield* nestedFields(type.key);
    yield { id: type['value-id'], name: 'value', type: type.value };
    yield* nestedFields(type.value);
  }
}
