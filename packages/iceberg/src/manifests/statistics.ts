import { decimalBytes } from '../encoding/decimals.ts';
import type { IcebergStruct, IcebergType } from '../metadata/metadata.ts';
import { columnTypeOf } from '../values/field-types.ts';
import type { DataFileRecord } from './manifests.ts';

/** One file written by DuckDB, with the column statistics that it returns as texts (session time zone UTC). */
export type WrittenFile = {
  readonly location: string;
  readonly rows: number;
  readonly bytes: number;
  /** By column path as DuckDB writes it (`"a"."b"`). */
  readonly columns: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

const TRUNCATE_TO = 16;

type Leaf = { readonly id: number; readonly path: string; readonly type: IcebergType; readonly repeated: boolean };

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

function* leaves(struct: IcebergStruct, prefix: string, repeated: boolean): Generator<Leaf> {
  for (const field of struct.fields) yield* leavesOf(field.id, field.type, prefix + quote(field.name), repeated);
}

function* leavesOf(id: number, type: IcebergType, path: string, repeated: boolean): Generator<Leaf> {
  if (typeof type === 'string') yield { id, path, type, repeated };
  else if (type.type === 'struct') yield* leaves(type, `${path}.`, repeated);
  else if (type.type === 'list') yield* leavesOf(type['element-id'], type.element, `${path}."element"`, true);
  else {
    yield* leavesOf(type['key-id'], type.key, `${path}."key"`, true);
    yield* leavesOf(type['value-id'], type.value, `${path}."value"`, true);
  }
}

/** The number of columns, with nested ones, that can have statistics. */
export const leafCount = (schema: IcebergStruct): number => [...leaves(schema, '', false)].length;

/** The position of a file in the table: partition spec and tuple, and the order of its rows. */
export type FilePartition = Pick<DataFileRecord, 'partition'> & {
  readonly specId: number;
  readonly sortOrderId: number;
};

/** The manifest's record of a file. Bounds are omitted where they could mislead: NaN, binary, UUID, repeated fields. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one branch for each statistic of the file format
export function dataFileRecord(
  file: WrittenFile,
  schema: IcebergStruct,
  filePartition?: FilePartition,
): DataFileRecord {
  const sizes: { key: number; value: bigint }[] = [];
  const values: { key: number; value: bigint }[] = [];
  const nulls: { key: number; value: bigint }[] = [];
  const nans: { key: number; value: bigint }[] = [];
  const lower: { key: number; value: Buffer }[] = [];
  const upper: { key: number; value: Buffer }[] = [];
  for (const leaf of leaves(schema, '', false)) {
    const found = file.columns[leaf.path];
    if (!found) continue;
    if (found['column_size_bytes']) sizes.push({ key: leaf.id, value: BigInt(found['column_size_bytes']) });
    if (leaf.repeated) continue;
    if (found['num_values']) values.push({ key: leaf.id, value: BigInt(found['num_values']) });
    if (found['null_count']) nulls.push({ key: leaf.id, value: BigInt(found['null_count']) });
    if (found['has_nan'] === 'true') continue;
    if (found['has_nan'] === 'false') nans.push({ key: leaf.id, value: 0n });
    const low = found['min'] === undefined ? null : lowerBound(leaf.type, found['min']);
    const high = found['max'] === undefined ? null : upperBound(leaf.type, found['max']);
    if (low) lower.push({ key: leaf.id, value: low });
    if (high) upper.push({ key: leaf.id, value: high });
  }
  return {
    content: 0,
    file_path: file.location,
    file_format: 'PARQUET',
    partition: filePartition?.partition ?? {},
    record_count: BigInt(file.rows),
    file_size_in_bytes: BigInt(file.bytes),
    column_sizes: sizes,
    value_counts: values,
    null_value_counts: nulls,
    nan_value_counts: nans,
    lower_bounds: lower,
    upper_bounds: upper,
    key_metadata: null,
    split_offsets: null,
    equality_ids: null,
    sort_order_id: filePartition?.sortOrderId ?? 0,
    ...(filePartition ? { spec_id: filePartition.specId } : {}),
  };
}

/** Single-value serialization of a lower bound; for a string, its first 16 code points. Null: no safe bound. */
export function lowerBound(type: IcebergType, text: string): Buffer | null {
  const kind = kindOf(type);
  if (kind === 'string') return Buffer.from([...text].slice(0, TRUNCATE_TO).join(''));
  // Zero may represent -0.0, which sorts below it.
  if ((kind === 'float' || kind === 'double') && Number(text) === 0) return serialize(type, '-0');
  return serialize(type, text);
}

/**
 * Single-value serialization of an upper bound; a truncated string is increased so that it stays above the full one.
 */
export function upperBound(type: IcebergType, text: string): Buffer | null {
  const kind = kindOf(type);
  if (kind === 'string') return incrementedPrefix([...text]);
  if ((kind === 'float' || kind === 'double') && Number(text) === 0) return serialize(type, '0');
  return serialize(type, text);
}

function incrementedPrefix(points: readonly string[]): Buffer | null {
  if (points.length <= TRUNCATE_TO) return Buffer.from(points.join(''));
  const truncated = points.slice(0, TRUNCATE_TO);
  while (truncated.length > 0) {
    const next = nextCodePoint(truncated.pop()!.codePointAt(0)!);
    if (next !== null) return Buffer.from([...truncated, String.fromCodePoint(next)].join(''));
  }
  return null;
}

function nextCodePoint(point: number): number | null {
  if (point >= 0x10ffff) return null;
  return point + 1 >= 0xd800 && point + 1 <= 0xdfff ? 0xe000 : point + 1;
}

const kindOf = (type: IcebergType): string => columnTypeOf(type).kind;

function serialize(type: IcebergType, text: string): Buffer | null {
  const parsed = columnTypeOf(type);
  switch (parsed.kind) {
    case 'boolean':
      return text === 'true' || text === '1'
        ? Buffer.from([1])
        : text === 'false' || text === '0'
          ? Buffer.from([0])
          : null;
    case 'int':
      return int32(Number(text));
    case 'long':
      return /^-?\d+$/.test(text) ? int64(BigInt(text)) : null;
    case 'float':
    case 'double':
      return floating(parsed.kind, text);
    case 'date':
      return date(text);
    case 'time':
      return time(text);
    case 'timestamp':
      return timestamp(text, /^(.{10}) (.+)$/);
    case 'timestamptz':
      return timestamp(text, /^(.{10}) (.+)\+00(?::00)?$/);
    case 'decimal':
      return decimal(text, parsed.scale);
    default:
      return null;
  }
}

function int32(value: number): Buffer | null {
  if (!Number.isInteger(value) || value < -(2 ** 31) || value >= 2 ** 31) return null;
  const buffer = Buffer.alloc(4);
  buffer.writeInt32LE(value);
  return buffer;
}

function int64(value: bigint): Buffer {
  const buffer = Buffer.alloc(8);
  buffer.writeBigInt64LE(value);
  return buffer;
}

function floating(kind: 'float' | 'double', text: string): Buffer | null {
  const infinite = /^([+-]?)inf(inity)?$/i.exec(text);
  const value = infinite
    ? infinite[1] === '-'
      ? -Infinity
      : Infinity
    : text.trim() === ''
      ? Number.NaN
      : Number(text);
  if (Number.isNaN(value)) return null;
  const buffer = Buffer.alloc(kind === 'float' ? 4 : 8);
  if (kind === 'float') buffer.writeFloatLE(value);
  else buffer.writeDoubleLE(value);
  return buffer;
}

/** Days since 1970; years outside 0001–9999 and infinities have no bound. */
function days(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const at = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(at) ? null : Math.round(at / 86_400_000);
}

function date(text: string): Buffer | null {
  const value = days(text);
  return value === null ? null : int32(value);
}

function micros(text: string): bigint | null {
  const match = /^(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,6}))?$/.exec(text);
  if (!match) return null;
  const seconds = Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3]);
  return BigInt(seconds) * 1_000_000n + BigInt((match[4] ?? '').padEnd(6, '0'));
}

function time(text: string): Buffer | null {
  const value = micros(text);
  return value === null ? null : int64(value);
}

function timestamp(text: string, pattern: RegExp): Buffer | null {
  const match = pattern.exec(text);
  const day = match && days(match[1]!);
  const rest = match && micros(match[2]!);
  if (day === null || day === undefined || rest === null || rest === undefined) return null;
  return int64(BigInt(day) * 86_400_000_000n + rest);
}

function decimal(text: string, scale: number): Buffer | null {
  const match = /^(-?)(\d*)(?:\.(\d*))?$/.exec(text);
  if (!match || (match[3] ?? '').length > scale) return null;
  const unsigned = BigInt(`${match[2]}${(match[3] ?? '').padEnd(scale, '0')}` || '0');
  return decimalBytes(match[1] ? -unsigned : unsigned);
}
