import { type ColumnType, type PrimitiveKind, parseColumnType } from '@svc/core/column-types';

/** A type as PostgreSQL describes it to clients. */
export interface PgType {
  readonly oid: number;
  /** Its name in pg_type. */
  readonly name: string;
  /** The bytes of a value, or -1 if they vary (typlen). */
  readonly size: number;
  /** The precision and scale of numeric, otherwise -1 (atttypmod). */
  readonly modifier: number;
  /** Of an array: the type of its elements. */
  readonly element: PgType | null;
  /** The type of the column. */
  readonly column: ColumnType;
}

type Scalar = readonly [oid: number, name: string, size: number, array: number];

const SCALARS: Readonly<Record<PrimitiveKind | 'decimal', Scalar>> = {
  boolean: [16, 'bool', 1, 1000],
  int: [23, 'int4', 4, 1007],
  long: [20, 'int8', 8, 1016],
  float: [700, 'float4', 4, 1021],
  double: [701, 'float8', 8, 1022],
  decimal: [1700, 'numeric', -1, 1231],
  date: [1082, 'date', 4, 1182],
  time: [1083, 'time', 8, 1183],
  timestamp: [1114, 'timestamp', 8, 1115],
  timestamptz: [1184, 'timestamptz', 8, 1185],
  string: [25, 'text', -1, 1009],
  uuid: [2950, 'uuid', 16, 2951],
  binary: [17, 'bytea', -1, 1001],
};

const JSON_OID = 114;
export const OID_OID = 26;
export const INT2_OID = 21;
const LONG: ColumnType = { kind: 'long' };
const INT: ColumnType = { kind: 'int' };
const OID: PgType = { oid: OID_OID, name: 'oid', size: 4, modifier: -1, element: null, column: LONG };
const INT2: PgType = { oid: INT2_OID, name: 'int2', size: 2, modifier: -1, element: null, column: INT };
/** A list of OIDs in the catalog, which the engine has as 64-bit integers. */
export const OID_ARRAY = listOf(1028, '_oid', OID);
/** Columns of the catalog such as indkey: lists that are written without braces, and count from 0. */
export const INT2_VECTOR = listOf(22, 'int2vector', INT2);
export const OID_VECTOR = listOf(30, 'oidvector', OID);
const OF_CATALOG: ReadonlyMap<string, PgType> = new Map(
  [OID_ARRAY, INT2_VECTOR, OID_VECTOR].map((type) => [type.name, type]),
);

function listOf(oid: number, name: string, element: PgType): PgType {
  return { oid, name, size: -1, modifier: -1, element, column: { kind: 'list', element: element.column } };
}

export const isCatalogVector = ({ oid }: PgType): boolean => oid === INT2_VECTOR.oid || oid === OID_VECTOR.oid;

const TEXT: ColumnType = { kind: 'string' };

/** Only parameters have it: results show intervals as texts. */
const INTERVAL: PgType = { oid: 1186, name: 'interval', size: 16, modifier: -1, element: null, column: TEXT };

/**
 * The type of a column whose type is written as in results and tables, or is the name of a list of the catalog. Nested values
 * without an array type are JSON.
 */
export function pgTypeOf(columnType: string): PgType {
  const ofCatalog = OF_CATALOG.get(columnType);
  if (ofCatalog !== undefined) return ofCatalog;
  const parsed = parseColumnType(columnType);
  return pgType(parsed.ok ? parsed.type : TEXT);
}

export function pgType(column: ColumnType): PgType {
  if (column.kind === 'list' && isScalar(column.element)) return arrayType(column, column.element);
  if (!isScalar(column)) return { oid: JSON_OID, name: 'json', size: -1, modifier: -1, element: null, column };
  const [oid, name, size] = SCALARS[column.kind];
  return { oid, name, size, modifier: modifierOf(column), element: null, column };
}

export type ScalarColumn = Exclude<ColumnType, { readonly kind: 'list' | 'map' | 'struct' }>;

export const isScalar = (type: ColumnType): type is ScalarColumn => Object.hasOwn(SCALARS, type.kind);

function arrayType(column: ColumnType, scalar: ScalarColumn): PgType {
  const element = pgType(scalar);
  const [, name, , oid] = SCALARS[scalar.kind];
  return { oid, name: `_${name}`, size: -1, modifier: element.modifier, element, column };
}

const modifierOf = (type: ColumnType): number =>
  type.kind === 'decimal' ? ((type.precision << 16) | type.scale) + 4 : -1;

/** Integers of the engine that svc's column types store as wider ones. */
const ENGINE_NAMES: Readonly<Record<string, string>> = {
  utinyint: 'int',
  usmallint: 'int',
  uinteger: 'long',
  ubigint: 'decimal(20,0)',
  hugeint: 'decimal(38,0)',
  uhugeint: 'decimal(38,0)',
  timestamp_s: 'timestamp',
  timestamp_ms: 'timestamp',
  timestamp_ns: 'timestamp',
  decimal: 'decimal(38,0)',
  json: 'string',
};

/** The type of a parameter whose type the engine inferred (`INTEGER`, `DECIMAL(10,2)`, `VARCHAR[]`), text if it has none. */
export function pgTypeOfEngine(duckdbTypeName: string): PgType {
  const name = duckdbTypeName.trim().toLowerCase();
  if (name === INTERVAL.name) return INTERVAL;
  if (Object.hasOwn(ENGINE_NAMES, name)) return pgTypeOf(ENGINE_NAMES[name]!);
  return pgTypeOf(duckdbTypeName.replace(/\[\d+\]/g, '[]'));
}
