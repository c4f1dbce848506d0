import type { ColumnType } from '@svc/core/tables';
import { columnTypeOf, type IcebergField, type Transform } from '@svc/iceberg';
import { identifier, integer, literal, type Sql, sql } from '../sql-text.ts';

/** The value of a column, from the top level down. */
export function sourceSql(source: readonly IcebergField[]): Sql {
  return source.slice(1).reduce((at, f) => sql`struct_extract(${at}, ${literal(f.name)})`, identifier(source[0]!.name));
}

/** An expression with the same order as the transform's result. */
export function orderSql(transform: Transform, source: readonly IcebergField[]): Sql {
  const value = sourceSql(source);
  const type = columnTypeOf(source.at(-1)!.type);
  switch (transform.kind) {
    case 'identity':
      return value;
    case 'truncate':
      return type.kind === 'string' || type.kind === 'binary'
        ? transformSql(transform, source)
        : wholeTruncate(transform.width, value, type);
    default:
      return sql`CAST(${transformSql(transform, source)} AS BIGINT)`;
  }
}

/** The transform's result as the canonical text of `valueOfText`, null for null. */
export function transformSql(transform: Transform, source: readonly IcebergField[]): Sql {
  if (transform.kind === 'void') return sql`CAST(NULL AS VARCHAR)`;
  const value = sourceSql(source);
  const type = columnTypeOf(source.at(-1)!.type);
  switch (transform.kind) {
    case 'identity':
      return identitySql(value, type);
    case 'bucket':
      return sql`CAST((${hashSql(value, type)} & 2147483647) % ${integer(transform.buckets)} AS VARCHAR)`;
    case 'truncate':
      if (type.kind === 'string') return sql`left(${value}, ${integer(transform.width)})`;
      if (type.kind === 'binary') return sql`left(hex(${value}), ${integer(2 * transform.width)})`;
      return sql`CAST(${wholeTruncate(transform.width, value, type)} AS VARCHAR)`;
    case 'year':
      return sql`CAST(year(${plainTime(value, type)}) - 1970 AS VARCHAR)`;
    case 'month':
      return sql`CAST((year(${plainTime(value, type)}) - 1970) * 12 + month(${plainTime(value, type)}) - 1 AS VARCHAR)`;
    case 'day':
      return sql`CAST(CAST(${plainTime(value, type)} AS DATE) - DATE '1970-01-01' AS VARCHAR)`;
    case 'hour':
      return sql`CAST(${floored(sql`epoch_us(${value})`, 3_600_000_000)} AS VARCHAR)`;
  }
}

/** A timestamp as its wall clock time in UTC. */
const plainTime = (value: Sql, type: ColumnType): Sql =>
  type.kind === 'timestamptz' ? sql`timezone('UTC', ${value})` : value;

function floored(value: Sql, step: number): Sql {
  const by = integer(step);
  return sql`((${value} - (((${value} % ${by}) + ${by}) % ${by})) // ${by})`;
}

const unscaled = (value: Sql): Sql => sql`CAST(replace(CAST(${value} AS VARCHAR), '.', '') AS HUGEINT)`;

function wholeTruncate(step: number, value: Sql, type: ColumnType): Sql {
  const width = integer(step);
  const whole = type.kind === 'decimal' ? unscaled(value) : sql`CAST(${value} AS HUGEINT)`;
  return sql`(${whole} - (((${whole} % ${width}) + ${width}) % ${width}))`;
}

const days = (value: Sql): Sql => sql`(${value} - DATE '1970-01-01')`;

function identitySql(value: Sql, type: ColumnType): Sql {
  switch (type.kind) {
    case 'string':
      return value;
    case 'binary':
      return sql`hex(${value})`;
    case 'date':
      return sql`CAST(${days(value)} AS VARCHAR)`;
    case 'time':
    case 'timestamp':
    case 'timestamptz':
      return sql`CAST(epoch_us(${value}) AS VARCHAR)`;
    case 'decimal':
      return sql`CAST(${unscaled(value)} AS VARCHAR)`;
    default:
      return sql`CAST(${value} AS VARCHAR)`;
  }
}

function hashSql(value: Sql, type: ColumnType): Sql {
  switch (type.kind) {
    case 'string':
      return sql`svc_hash_bytes(encode(${value}))`;
    case 'binary':
      return sql`svc_hash_bytes(${value})`;
    case 'uuid':
      return sql`svc_hash_bytes(unhex(replace(CAST(${value} AS VARCHAR), '-', '')))`;
    case 'decimal':
      return sql`svc_hash_decimal(${unscaled(value)})`;
    case 'date':
      return sql`svc_hash_long(CAST(${days(value)} AS BIGINT))`;
    case 'time':
    case 'timestamp':
    case 'timestamptz':
      return sql`svc_hash_long(epoch_us(${value}))`;
    default:
      return sql`svc_hash_long(CAST(${value} AS BIGINT))`;
  }
}
