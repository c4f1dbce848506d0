import type { ColumnType } from '@svc/core/column-types';

/** DuckDB's names of the types that are not nested and have no parameters. */
export const DUCKDB_NAMES = {
  boolean: 'BOOLEAN',
  int: 'INTEGER',
  long: 'BIGINT',
  float: 'FLOAT',
  double: 'DOUBLE',
  date: 'DATE',
  time: 'TIME',
  timestamp: 'TIMESTAMP',
  timestamptz: 'TIMESTAMP WITH TIME ZONE',
  string: 'VARCHAR',
  uuid: 'UUID',
  binary: 'BLOB',
} as const;

/** The type's name in DuckDB's SQL. */
export function duckdbType(type: ColumnType): string {
  switch (type.kind) {
    case 'decimal':
      return `DECIMAL(${type.precision},${type.scale})`;
    case 'list':
      return `${duckdbType(type.element)}[]`;
    case 'map':
      return `MAP(${duckdbType(type.key)}, ${duckdbType(type.value)})`;
    case 'struct':
      return `STRUCT(${type.fields.map((f) => `"${f.name.replaceAll('"', '""')}" ${duckdbType(f.type)}`).join(', ')})`;
    default:
      return DUCKDB_NAMES[type.kind];
  }
}
