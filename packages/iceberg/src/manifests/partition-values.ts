import type { ColumnType } from '@svc/core/tables';
import { decimalBytes, decimalText } from '../encoding/decimals.ts';
import { UnsupportedTableError } from '../errors/table-errors.ts';
import { fieldById } from '../metadata/find-field.ts';
import type { IcebergStruct, IcebergType, PartitionSpec } from '../metadata/metadata.ts';
import { columnTypeOf } from '../values/field-types.ts';
import { parseTransform, resultType } from '../values/transforms.ts';
import type { AvroSchema } from './write-avro.ts';

/**
 * A value of a partition tuple as Avro represents it: days and months are numbers, longs and times bigints, bytes
 * Buffers.
 */
export type PartitionValue = boolean | number | bigint | string | Buffer | null;

const FIXED = /^fixed\s*\[\s*(\d+)\s*\]$/;

/** The type of a partition field's values; null if the spec's source column or transform is unknown. */
export function partitionType(struct: IcebergStruct, field: PartitionSpec['fields'][number]): IcebergType | null {
  const transform = parseTransform(field.transform);
  const source = fieldById(struct, field['source-id']);
  // The type of an always-null field doesn't matter, and its column may have been dropped.
  if (transform?.kind === 'void') return source?.type ?? 'int';
  if (transform === null || source === null) return null;
  return resultType(transform, source.type);
}

/** The Avro record of a spec's tuples, for a manifest's schema. */
export function partitionRecord(struct: IcebergStruct, spec: PartitionSpec): AvroSchema {
  const fields = spec.fields.map((field) => {
    const type = partitionType(struct, field);
    if (type === null) {
      throw new UnsupportedTableError(
        `The table is partitioned by "${field.name}", whose source column no longer exists.`,
      );
    }
    return {
      name: avroName(field.name),
      type: ['null', avroType(type, field['field-id'])],
      default: null,
      'field-id': field['field-id'],
    };
  });
  return { type: 'record', name: 'r102', fields };
}

/** Avro names consist of letters, digits and `_`; other characters are escaped as in Iceberg's libraries. */
export function avroName(name: string): string {
  const sane = [...name].map((c, i) => {
    if (/[A-Za-z_]/.test(c) || (i > 0 && /\d/.test(c))) return c;
    return /\d/.test(c) ? `_${c}` : `_x${c.codePointAt(0)!.toString(16).toUpperCase()}`;
  });
  return sane.join('');
}

const PLAIN_AVRO: Readonly<Record<string, unknown>> = {
  boolean: 'boolean',
  int: 'int',
  long: 'long',
  float: 'float',
  double: 'double',
  string: 'string',
  binary: 'bytes',
  date: { type: 'int', logicalType: 'date' },
  time: { type: 'long', logicalType: 'time-micros' },
  timestamp: { type: 'long', logicalType: 'timestamp-micros', 'adjust-to-utc': false },
  timestamptz: { type: 'long', logicalType: 'timestamp-micros', 'adjust-to-utc': true },
};

function avroType(type: IcebergType, id: number): unknown {
  const fixed = typeof type === 'string' ? FIXED.exec(type) : null;
  if (fixed) return { type: 'fixed', name: `fixed_${id}`, size: Number(fixed[1]) };
  const parsed = columnTypeOf(type);
  if (parsed.kind === 'uuid') return { type: 'fixed', name: `uuid_fixed_${id}`, size: 16, logicalType: 'uuid' };
  if (parsed.kind === 'decimal') {
    const { precision, scale } = parsed;
    const size = bytesOfPrecision(precision);
    return { type: 'fixed', name: `decimal_${id}`, size, logicalType: 'decimal', precision, scale };
  }
  const plain = PLAIN_AVRO[parsed.kind];
  if (plain === undefined) throw new UnsupportedTableError("A table can't be partitioned by a nested column.");
  return plain;
}

/** Number of bytes that hold every unscaled value of a precision. */
function bytesOfPrecision(precision: number): number {
  let size = 1;
  while (2n ** BigInt(8 * size - 1) < 10n ** BigInt(precision)) size += 1;
  return size;
}

/**
 * The value of a canonical text: whole numbers for dates (days), times and timestamps (microseconds) and decimals
 * (unscaled), hexadecimal digits for bytes, otherwise the value as written.
 */
export function valueOfText(type: IcebergType, text: string | null): PartitionValue {
  if (text === null) return null;
  if (typeof type === 'string' && FIXED.test(type)) return Buffer.from(text, 'hex');
  const parsed = columnTypeOf(type);
  switch (parsed.kind) {
    case 'boolean':
      return text === 'true';
    case 'int':
    case 'date':
      return Number(BigInt.asIntN(32, BigInt(text)));
    case 'long':
    case 'time':
    case 'timestamp':
    case 'timestamptz':
      return BigInt.asIntN(64, BigInt(text));
    case 'float':
      return Math.fround(numberOf(text));
    case 'double':
      return numberOf(text);
    case 'decimal':
      return decimalBytes(BigInt(text), bytesOfPrecision(parsed.precision));
    case 'uuid':
      return Buffer.from(text.replaceAll('-', ''), 'hex');
    case 'binary':
      return Buffer.from(text, 'hex');
    default:
      return text;
  }
}

const numberOf = (text: string): number => Number(text.replace('inf', 'Infinity').replace('nan', 'NaN'));

const isLong = (value: PartitionValue) => typeof value === 'bigint';
const isBytes = (value: PartitionValue) => Buffer.isBuffer(value);
const isNumber = (value: PartitionValue) => typeof value === 'number';
/** Days and microseconds within the range of calendar dates. */
const isDay = (value: PartitionValue) => isNumber(value) && Math.abs(Number(value)) <= 100_000_000;
const isMoment = (value: PartitionValue) => isLong(value) && Math.abs(Number(value)) <= 8.64e18;

const IS_REPRESENTABLE: Readonly<Record<ColumnType['kind'], (value: PartitionValue) => boolean>> = {
  boolean: (value) => typeof value === 'boolean',
  int: isNumber,
  // The column may have been an int when the file was written.
  long: (value) => isLong(value) || isNumber(value),
  float: isNumber,
  double: isNumber,
  string: (value) => typeof value === 'string',
  date: isDay,
  time: (value) => isLong(value) && Number(value) >= 0 && Number(value) < 86_400_000_000,
  timestamp: isMoment,
  timestamptz: isMoment,
  decimal: (value) => isBytes(value) && (value as Buffer).length > 0 && (value as Buffer).length <= 16,
  uuid: (value) => isBytes(value) && (value as Buffer).length === 16,
  binary: isBytes,
  list: () => false,
  map: () => false,
  struct: () => false,
};

/**
 * Returns the value if it matches the type. A manifest declares the types of its own values.
 *
 * @throws UnsupportedTableError if it doesn't match
 */
export function partitionValue(type: IcebergType, value: unknown, name: string): PartitionValue {
  const typed = (value ?? null) as PartitionValue;
  const { kind } = columnTypeOf(type);
  if (typed === null || IS_REPRESENTABLE[kind](typed)) return typed;
  throw new UnsupportedTableError(
    `A manifest of the table is not valid: the partition value "${name.slice(0, 100)}" must be a ${kind}.`,
  );
}

/** A partition value as text for the engine to cast to the column's type; bytes as hexadecimal digits. */
export function textOfValue(type: IcebergType, value: PartitionValue): string | null {
  if (value === null) return null;
  const parsed = columnTypeOf(type);
  switch (parsed.kind) {
    case 'date':
      return isoOf(BigInt(Number(value)) * 86_400_000_000n).slice(0, -16);
    case 'time':
      return isoOf(value as bigint).slice(-15);
    case 'timestamp':
      return isoOf(value as bigint).replace('T', ' ');
    case 'timestamptz':
      return `${isoOf(value as bigint).replace('T', ' ')}+00`;
    case 'decimal':
      return decimalText(value as Buffer, parsed.scale);
    case 'uuid':
    case 'binary':
      return (value as Buffer).toString('hex');
    case 'float':
    case 'double':
      return Object.is(value, -0) ? '-0.0' : String(value);
    default:
      return String(value);
  }
}

/** Formats microseconds since 1970 as `2020-01-31T10:00:00.000001`; years outside 1–9999 use the engine's format. */
function isoOf(micros: bigint): string {
  const below = ((micros % 1000n) + 1000n) % 1000n;
  const text = new Date(Number((micros - below) / 1000n)).toISOString().slice(0, -1);
  return `${text.replace(/^\+0*/, '')}${String(below).padStart(3, '0')}`;
}

/** One text for each tuple: equal tuples have equal texts, whatever their types. */
export function tupleKey(values: readonly PartitionValue[]): string {
  return JSON.stringify(
    values.map((v) => {
      if (typeof v === 'bigint') return `n${v}`;
      if (typeof v === 'number') return Object.is(v, -0) ? 'f-0' : `n${v}`;
      return Buffer.isBuffer(v) ? `x${v.toString('hex')}` : typeof v === 'string' ? `s${v}` : v;
    }),
  );
}
