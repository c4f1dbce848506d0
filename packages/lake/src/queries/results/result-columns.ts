import { type ColumnType, formatColumnType } from '@svc/core/column-types';
import { duckdbType } from '../../tables/duckdb-types.ts';
import type { EngineColumn, EngineType } from '../sandbox/engine-types.ts';
import { identifier, joined, type Sql, sql, typeName } from '../sql-text.ts';

const SIMPLE: Readonly<Partial<Record<EngineType['id'], ColumnType>>> = {
  BOOLEAN: { kind: 'boolean' },
  TINYINT: { kind: 'int' },
  SMALLINT: { kind: 'int' },
  INTEGER: { kind: 'int' },
  UTINYINT: { kind: 'int' },
  USMALLINT: { kind: 'int' },
  UINTEGER: { kind: 'long' },
  BIGINT: { kind: 'long' },
  // Iceberg has no unsigned or 128-bit integers, and Parquet would store them as doubles.
  UBIGINT: { kind: 'decimal', precision: 20, scale: 0 },
  HUGEINT: { kind: 'decimal', precision: 38, scale: 0 },
  UHUGEINT: { kind: 'decimal', precision: 38, scale: 0 },
  FLOAT: { kind: 'float' },
  DOUBLE: { kind: 'double' },
  DATE: { kind: 'date' },
  TIME: { kind: 'time' },
  TIMESTAMP: { kind: 'timestamp' },
  TIMESTAMP_S: { kind: 'timestamp' },
  TIMESTAMP_MS: { kind: 'timestamp' },
  TIMESTAMP_NS: { kind: 'timestamp' },
  TIMESTAMP_TZ: { kind: 'timestamptz' },
  UUID: { kind: 'uuid' },
  BLOB: { kind: 'binary' },
};

/**
 * The Iceberg type for a column of the engine. Types that Iceberg lacks (interval, enum, union, bit, …) become text.
 */
export function icebergTypeOf(type: EngineType): ColumnType {
  const inner = type.inner?.map(icebergTypeOf) ?? [];
  switch (type.id) {
    case 'DECIMAL':
      return { kind: 'decimal', precision: type.width!, scale: type.scale! };
    case 'LIST':
    case 'ARRAY':
      return { kind: 'list', element: inner[0]! };
    case 'MAP':
      return { kind: 'map', key: inner[0]!, value: inner[1]! };
    case 'STRUCT':
      return { kind: 'struct', fields: inner.map((t, i) => ({ name: type.names?.[i] || `f${i + 1}`, type: t })) };
    default:
      return SIMPLE[type.id] ?? { kind: 'string' };
  }
}

/** A column of a result: its unique name, the wire type, and the type to cast to (null: no cast). */
export type ResultColumn = { readonly name: string; readonly type: string };
export type OutputColumn = ResultColumn & { readonly cast: ColumnType | null };

/** A page in the JSON form of query results; `total` counts the rows of the whole result. */
export type ResultPage = {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly unknown[])[];
  readonly total: number;
};

/** A query may repeat column names, but a file or a table can't: later ones get the suffixes `_1`, `_2`, …. */
export function outputColumns(columns: readonly EngineColumn[]): OutputColumn[] {
  const usedNames = new Set<string>();
  return columns.map((column) => {
    let name = column.name;
    for (let n = 1; usedNames.has(name.toLowerCase()); n++) name = `${column.name}_${n}`;
    usedNames.add(name.toLowerCase());
    const type = icebergTypeOf(column.type);
    return { name, type: formatColumnType(type), cast: duckdbType(type) === column.type.text ? null : type };
  });
}

/** `query` with its columns renamed and cast for the output. Preserves its ORDER BY. */
export function castQuery(query: Sql, columns: readonly OutputColumn[]): Sql {
  const list = columns.map(({ name, cast }) => {
    const column = identifier(name);
    return cast ? sql`CAST(${column} AS ${typeName(cast)}) AS ${column}` : column;
  });
  const names = columns.map(({ name }) => identifier(name));
  return sql`SELECT ${joined(list)} FROM (\n${query}\n) AS q(${joined(names)})`;
}
