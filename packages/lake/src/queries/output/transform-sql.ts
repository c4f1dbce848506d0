import type { ColumnType } from '@svc/core/tables';
import { columnTypeOf, type IcebergField, type Transform } from '../../tables/index.ts';
import { identifier, literal } from '../sql-text.ts';

/** The value of a column, from the top down. */
export function sourceSql(source: readonly IcebergField[]): string {
  return source.slice(1).reduce((at, f) => `struct_extract(${at}, ${literal(f.name)})`, identifier(source[0]!.name));
}

/** What orders as the transform's result does. */
export function orderSql(transform: Transform, source: readonly IcebergField[]): string {
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
      return `CAST(${transformSql(transform, source)} AS BIGINT)`;
  }
}

/** The transform's result as the canonical text of `valueOfText`, null for null. */
export function transformSql(transform: Transform, source: readonly IcebergField[]): string {
  if (transform.kind === 'void') return 'CAST(NULL AS VARCHAR)';
  const value = sourceSql(source);
  const type = columnTypeOf(source.at(-1)!.type);
  switch (transform.kind) {
    case 'identity':
      return identitySql(value, type);
    case 'bucket':
      return `CAST((${hashSql(value, type)} & 2147483647) % ${transform.buckets} AS VARCHAR)`;
    case 'truncate':
      if (type.kind === 'string') return `left(${value}, ${transform.width})`;
      if (type.kind === 'binary') return `left(hex(${value}), ${2 * transform.width})`;
      return `CAST(${wholeTruncate(transform.width, value, type)} AS VARCHAR)`;
    case 'year':
      return `CAST(year(${plainTime(value, type)}) - 1970 AS VARCHAR)`;
    case 'month':
      return `CAST((year(${plainTime(value, type)}) - 1970) * 12 + month(${plainTime(value, type)}) - 1 AS VARCHAR)`;
    case 'day':
      return `CAST(CAST(${plainTime(value, type)} AS DATE) - DATE '1970-01-01' AS VARCHAR)`;
    case 'hour':
      return `CAST(${floored(`epoch_us(${value})`, 3_600_000_000)} AS VARCHAR)`;
  }
}

/** A moment as its wall clock in UTC. */
const plainTime = (value: string, type: ColumnType): string =>
  type.kind === 'timestamptz' ? `timezone('UTC', ${value})` : value;

const floored = (value: string, by: number): string => `((${value} - (((${value} % ${by}) + ${by}) % ${by})) // ${by})`;

const unscaled = (value: string): string => `CAST(replace(CAST(${value} AS VARCHAR), '.', '') AS HUGEINT)`;

function wholeTruncate(width: number, value: string, type: ColumnType): string {
  const whole = type.kind === 'decimal' ? unscaled(value) : `CAST(${value} AS HUGEINT)`;
  return `(${whole} - (((${whole} % ${width}) + ${width}) % ${width}))`;
}

const days = (value: string): string => `(${value} - DATE '1970-01-01')`;

function identitySql(value: string, type: ColumnType): string {
  switch (type.kind) {
    case 'string':
      return value;
    case 'binary':
      return `hex(${value})`;
    case 'date':
      return `CAST(${days(value)} AS VARCHAR)`;
    case 'time':
    case 'timestamp':
    case 'timestamptz':
      return `CAST(epoch_us(${value}) AS VARCHAR)`;
    case 'decimal':
      return `CAST(${unscaled(value)} AS VARCHAR)`;
    default:
      return `CAST(${value} AS VARCHAR)`;
  }
}

function hashSql(value: string, type: ColumnType): string {
  switch (type.kind) {
    case 'string':
      return `svc_hash_bytes(encode(${value}))`;
    case 'binary':
      return `svc_hash_bytes(${value})`;
    case 'uuid':
      return `svc_hash_bytes(unhex(replace(CAST(${value} AS VARCHAR), '-', '')))`;
    case 'decimal':
      return `svc_hash_decimal(${unscaled(value)})`;
    case 'date':
      return `svc_hash_long(CAST(${days(value)} AS BIGINT))`;
    case 'time':
    case 'timestamp':
    case 'timestamptz':
      return `svc_hash_long(epoch_us(${value}))`;
    default:
      return `svc_hash_long(CAST(${value} AS BIGINT))`;
  }
}
