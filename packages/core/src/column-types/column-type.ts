export type PrimitiveKind =
  | 'boolean'
  | 'int'
  | 'long'
  | 'float'
  | 'double'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'timestamptz'
  | 'string'
  | 'uuid'
  | 'binary';

export type StructField = { readonly name: string; readonly type: ColumnType };

export type ColumnType =
  | { readonly kind: PrimitiveKind }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }
  | { readonly kind: 'list'; readonly element: ColumnType }
  | { readonly kind: 'map'; readonly key: ColumnType; readonly value: ColumnType }
  | { readonly kind: 'struct'; readonly fields: readonly StructField[] };

/** The canonical spelling of a type on the wire. `parseColumnType` parses it back to an equal type. */
export function formatColumnType(type: ColumnType): string {
  switch (type.kind) {
    case 'decimal':
      return `decimal(${type.precision},${type.scale})`;
    case 'list':
      return `list<${formatColumnType(type.element)}>`;
    case 'map':
      return `map<${formatColumnType(type.key)},${formatColumnType(type.value)}>`;
    case 'struct':
      return `struct<${type.fields.map((f) => `${formatName(f.name)}: ${formatColumnType(f.type)}`).join(', ')}>`;
    default:
      return type.kind;
  }
}

function formatName(name: string): string {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}
