import type { ColumnType } from '@svc/core/column-types';
import {
  columnTypeOf,
  type IcebergField,
  type IcebergType,
  type NameMapping,
  UnsupportedTableError,
} from '@svc/iceberg';
import { duckdbType } from '../../tables/index.ts';
import { identifier, joined, literal, numbered, type Sql, sql, typeName } from '../sql-text.ts';
import type { FileColumn, FileLayout } from './file-layout.ts';

/** Maps the columns of files with one layout to the fields of a table, by field id at every level. */
export class FieldSql {
  private readonly columns: readonly FileColumn[];
  private readonly unskippable: ReadonlySet<number>;
  private lambdas = 0;

  /**
   * @param options.mapping the names for files without field ids
   * @param options.unskippable ids of columns by which the engine would skip rows that match
   */
  constructor(
    layout: FileLayout,
    { mapping, unskippable }: { mapping: NameMapping | null; unskippable: ReadonlySet<number> },
  ) {
    this.unskippable = unskippable;
    if (layout.columns.some(hasId)) this.columns = layout.columns;
    else if (mapping) this.columns = layout.columns.map((c) => withIds(c, mapping));
    else {
      throw new UnsupportedTableError(
        'The table has a file without field ids and no name mapping to read it with. Set the property schema.name-mapping.default.',
      );
    }
  }

  has(id: number): boolean {
    return this.columns.some((c) => c.id === id);
  }

  /** The value of a top-level field; `source` names the rows. Null if the files lack it and it has no default. */
  value(field: IcebergField, source: Sql): Sql {
    const column = this.columns.find((c) => c.id === field.id);
    if (column === undefined) return initialDefaultSql(field);
    const value = this.read(field.type, column, sql`${source}.${identifier(column.name)}`, field.name);
    return this.unskippable.has(field.id) ? withoutSkipping(value) : value;
  }

  private read(type: IcebergType, column: FileColumn, at: Sql, name: string): Sql {
    if (typeof type === 'string') return leafSql(type, column, at, name);
    if (type.type !== column.kind) throw mismatch(name, column);
    if (isSame(type, column)) return at;
    if (type.type === 'struct' && column.kind === 'struct') {
      const parts = type.fields.map((field) => {
        const child = column.children.find((c) => c.id === field.id);
        const inner = child && sql`struct_extract(${at}, ${literal(child.name)})`;
        return sql`${identifier(field.name)} := ${child ? this.read(field.type, child, inner!, field.name) : initialDefaultSql(field)}`;
      });
      return sql`CASE WHEN ${at} IS NULL THEN NULL ELSE struct_pack(${joined(parts)}) END`;
    }
    const item = numbered('svc_item_', ++this.lambdas);
    if (type.type === 'list' && column.kind === 'list') {
      return sql`list_transform(${at}, lambda ${item}: ${this.read(type.element, column.element, item, name)})`;
    }
    if (type.type === 'map' && column.kind === 'map') {
      const key = this.read(type.key, column.key, sql`struct_extract(${item}, 'key')`, name);
      const value = this.read(type.value, column.value, sql`struct_extract(${item}, 'value')`, name);
      const pair = sql`struct_pack(key := ${key}, value := ${value})`;
      const entries = sql`list_transform(map_entries(${at}), lambda ${item}: ${pair})`;
      return sql`CASE WHEN ${at} IS NULL THEN NULL ELSE map_from_entries(${entries}) END`;
    }
    throw mismatch(name, column);
  }
}

/**
 * Whether the engine's reader would skip rows of a column that match a condition. By bloom filters, it searches for the text of a
 * binary value (`\xFF`) instead of its bytes, and for 0.0 only with the same sign. By smallest and largest values, it misses NaN:
 * other writers leave it out of them.
 */
export const isUnskippable = (type: ColumnType, mayHideFloats: () => boolean): boolean =>
  type.kind === 'binary' || (hasFloats(type) && mayHideFloats());

function hasFloats(type: ColumnType): boolean {
  switch (type.kind) {
    case 'struct':
      return type.fields.some((field) => hasFloats(field.type));
    case 'list':
      return hasFloats(type.element);
    case 'map':
      return hasFloats(type.key) || hasFloats(type.value);
    default:
      return type.kind === 'float' || type.kind === 'double';
  }
}

/** A value that the engine compares after it has read it. The engine simplifies shorter expressions such as coalesce(x, NULL). */
export const withoutSkipping = (value: Sql): Sql => sql`CASE WHEN ${value} IS NOT NULL THEN ${value} END`;

const hasId = (column: FileColumn): boolean => column.id !== null || childrenOf(column).some(hasId);

function childrenOf(column: FileColumn): readonly FileColumn[] {
  if (column.kind === 'struct') return column.children;
  if (column.kind === 'list') return [column.element];
  return column.kind === 'map' ? [column.key, column.value] : [];
}

function withIds(column: FileColumn, mapping: NameMapping, as = column.name): FileColumn {
  const found = mapping.find((m) => m.names.includes(as));
  const id = found?.['field-id'] ?? null;
  const inner = found?.fields ?? [];
  switch (column.kind) {
    case 'struct':
      return { ...column, id, children: column.children.map((c) => withIds(c, inner)) };
    case 'list':
      return { ...column, id, element: withIds(column.element, inner, 'element') };
    case 'map':
      return { ...column, id, key: withIds(column.key, inner, 'key'), value: withIds(column.value, inner, 'value') };
    case 'leaf':
      return { ...column, id };
  }
}

/**
 * Whether the file's column already equals the field, including names and order, so that it doesn't need to be rebuilt.
 */
function isSame(type: IcebergType, column: FileColumn): boolean {
  if (typeof type === 'string') return column.kind === 'leaf' && column.type === duckdbType(columnTypeOf(type));
  if (type.type === 'struct') {
    return (
      column.kind === 'struct' &&
      column.children.length === type.fields.length &&
      type.fields.every((f, i) => {
        const child = column.children[i]!;
        return child.id === f.id && child.name === f.name && isSame(f.type, child);
      })
    );
  }
  if (type.type === 'list') return column.kind === 'list' && isSame(type.element, column.element);
  return column.kind === 'map' && isSame(type.key, column.key) && isSame(type.value, column.value);
}

const WIDENS = new Map(
  Object.entries<readonly string[]>({
    TINYINT: ['INTEGER', 'BIGINT'],
    SMALLINT: ['INTEGER', 'BIGINT'],
    UTINYINT: ['INTEGER', 'BIGINT'],
    USMALLINT: ['INTEGER', 'BIGINT'],
    UINTEGER: ['BIGINT'],
    INTEGER: ['BIGINT', 'DATE'],
    FLOAT: ['DOUBLE'],
    DATE: ['TIMESTAMP'],
    TIMESTAMP: ['TIMESTAMP WITH TIME ZONE'],
    'TIMESTAMP WITH TIME ZONE': ['TIMESTAMP'],
    TIMESTAMP_NS: ['TIMESTAMP', 'TIMESTAMP WITH TIME ZONE'],
    TIMESTAMP_MS: ['TIMESTAMP', 'TIMESTAMP WITH TIME ZONE'],
    TIMESTAMP_S: ['TIMESTAMP', 'TIMESTAMP WITH TIME ZONE'],
    TIME_NS: ['TIME'],
  }),
);

function leafSql(type: string, column: FileColumn, at: Sql, name: string): Sql {
  if (column.kind !== 'leaf') throw mismatch(name, column);
  const targetType = columnTypeOf(type);
  const [from, to] = [column.type, duckdbType(targetType)];
  if (from === to) return at;
  // Some writers omit the annotation that distinguishes text and UUIDs from bytes.
  if (from === 'BLOB' && to === 'VARCHAR') return sql`decode(${at})`;
  if (to === 'BLOB' && (from === 'VARCHAR' || from === 'JSON')) return sql`encode(CAST(${at} AS VARCHAR))`;
  if (from === 'UUID' && to === 'BLOB') return sql`unhex(replace(CAST(${at} AS VARCHAR), '-', ''))`;
  const castable =
    WIDENS.get(from)?.includes(to) ||
    (from === 'BLOB' && to === 'UUID') ||
    (['JSON', 'ENUM'].includes(from) && to === 'VARCHAR') ||
    (from.startsWith('DECIMAL') && to.startsWith('DECIMAL'));
  if (!castable) throw mismatch(name, column);
  if (from === 'INTEGER' && to === 'DATE') return sql`(DATE '1970-01-01' + ${at})`;
  return sql`CAST(${at} AS ${typeName(targetType)})`;
}

function mismatch(name: string, column: FileColumn): UnsupportedTableError {
  const storedType = column.kind === 'leaf' ? column.type : column.kind;
  return new UnsupportedTableError(
    `The column "${name.slice(0, 100)}" has the type ${storedType} in a data file, which doesn't match the table's type.`,
  );
}

/** The value of a field that a row's file lacks: its format version 3 default, otherwise null. */
const initialDefaultSql = (field: IcebergField): Sql => defaultSql(field, field['initial-default']);

/** The value of a field that a writer omits: its format version 3 default, otherwise null. */
export const writeDefaultSql = (field: IcebergField): Sql => defaultSql(field, field['write-default']);

/** Whether a writer may omit the column. */
export const isOptionalInFile = (field: IcebergField): boolean =>
  !field.required || (field['write-default'] !== undefined && field['write-default'] !== null);

function defaultSql(field: IcebergField, value: unknown): Sql {
  if (value === undefined || value === null) return sql`CAST(NULL AS ${typeName(columnTypeOf(field.type))})`;
  if (typeof value === 'object') {
    throw new UnsupportedTableError(
      `The default of the column "${field.name}" is nested. svc can't read nested defaults.`,
    );
  }
  return constantSql(field.type, String(value));
}

/** A constant of a type: bytes as hexadecimal digits, everything else in the engine's format. */
export function constantSql(type: IcebergType, text: string | null): Sql {
  const parsed = columnTypeOf(type);
  if (text === null) return sql`CAST(NULL AS ${typeName(parsed)})`;
  if (parsed.kind === 'binary') return sql`unhex(${literal(text)})`;
  // A text value of a table may contain NUL, but text in a statement can't.
  if (text.includes('\0')) return sql`decode(unhex(${literal(Buffer.from(text).toString('hex'))}))`;
  return sql`CAST(${literal(text)} AS ${typeName(parsed)})`;
}
