import { unscaledOf } from '../encoding/decimals.ts';
import type { IcebergField } from '../metadata/metadata.ts';
import { columnTypeOf } from '../values/field-types.ts';
import type { DataFileRecord, KeyedBytes, KeyedLongs } from './manifests.ts';

/**
 * A comparable value: whole numbers (days, microseconds), decimals as unscaled numbers, floating-point numbers, texts
 * as bytes. Only values of one kind (and one scale) compare.
 */
export type Comparable =
  | { readonly kind: 'number'; readonly unscaled: bigint; readonly scale: number }
  | { readonly kind: 'floating'; readonly value: number }
  | { readonly kind: 'days' | 'micros' | 'instant'; readonly at: bigint }
  | { readonly kind: 'text'; readonly bytes: Buffer };

/** What is known about one column in one file. Bounds apply to values that are neither null nor NaN. */
export type ColumnBounds = {
  readonly lower: Comparable | null;
  readonly upper: Comparable | null;
  /** Null if unknown. */
  readonly allNull: boolean | null;
  readonly hasNull: boolean | null;
  readonly mayHaveNan: boolean;
};

const [UNKNOWN, NONE, SOME, ALL] = [0, 1, 2, 3];
/** Maximum bytes of a bound: a longer lower bound is truncated, a longer upper bound is omitted. */
const MAX_BOUND_BYTES = 254;
const ABSENT = 255;
const HEAD = 8;

/** A compact form of a manifest's column statistics for a file: a table may have very many files. */
export function packStatistics(file: DataFileRecord): Buffer {
  const nulls = longsOf(file.null_value_counts);
  const nans = longsOf(file.nan_value_counts);
  const lower = bytesOf(file.lower_bounds);
  const upper = bytesOf(file.upper_bounds);
  const pieces = [...new Set([...nulls.keys(), ...lower.keys(), ...upper.keys()])].map((id) => {
    const low = lower.get(id)?.subarray(0, MAX_BOUND_BYTES);
    const high = upper.get(id);
    const [lowerBytes, upperBytes] = [low ?? null, high === undefined || high.length > MAX_BOUND_BYTES ? null : high];
    const head = Buffer.alloc(HEAD);
    head.writeInt32LE(id, 0);
    head.writeUInt8(stateOf(nulls.get(id), file.record_count), 4);
    head.writeUInt8(stateOf(nans.get(id), file.record_count), 5);
    head.writeUInt8(lowerBytes?.length ?? ABSENT, 6);
    head.writeUInt8(upperBytes?.length ?? ABSENT, 7);
    return Buffer.concat([head, lowerBytes ?? EMPTY, upperBytes ?? EMPTY]);
  });
  return Buffer.concat(pieces);
}

const EMPTY = Buffer.alloc(0);
const longsOf = (list: KeyedLongs | null) => new Map((list ?? []).map(({ key, value }) => [key, value]));
const bytesOf = (list: KeyedBytes | null) => new Map((list ?? []).map(({ key, value }) => [key, value]));

function stateOf(count: bigint | undefined, rows: bigint): number {
  if (count === undefined) return UNKNOWN!;
  return count === 0n ? NONE! : count >= rows ? ALL! : SOME!;
}

/**
 * The bounds of a column from the packed statistics, in its current type: bounds of a narrower type have fewer bytes.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: follows the layout of the packed statistics
export function boundsOf(packed: Buffer, field: IcebergField): ColumnBounds | null {
  for (let at = 0; at < packed.length; ) {
    const [low, high] = [packed[at + 6]!, packed[at + 7]!];
    const lowEnd = at + HEAD + (low === ABSENT ? 0 : low);
    const end = lowEnd + (high === ABSENT ? 0 : high);
    if (packed.readInt32LE(at) === field.id) {
      const [nulls, nans] = [packed[at + 4]!, packed[at + 5]!];
      return {
        lower: low === ABSENT ? null : decoded(packed.subarray(at + HEAD, lowEnd), field, low === MAX_BOUND_BYTES),
        upper: high === ABSENT ? null : decoded(packed.subarray(lowEnd, end), field),
        allNull: nulls === UNKNOWN ? null : nulls === ALL,
        hasNull: nulls === UNKNOWN ? null : nulls !== NONE,
        mayHaveNan: (field.type === 'float' || field.type === 'double') && nans !== NONE,
      };
    }
    at = end;
  }
  return null;
}

/** The single-value serialization of the Iceberg specification; null for unsupported values. */
function decoded(bytes: Buffer, { type }: IcebergField, isTruncated = false): Comparable | null {
  if (typeof type !== 'string' || (isTruncated && type !== 'string')) return null;
  const parsed = columnTypeOf(type);
  switch (parsed.kind) {
    case 'int':
    case 'long':
      return withInteger(bytes, (unscaled) => ({ kind: 'number', unscaled, scale: 0 }));
    case 'date':
      return bytes.length === 4 ? { kind: 'days', at: BigInt(bytes.readInt32LE()) } : null;
    case 'timestamp':
    case 'timestamptz': {
      // Four bytes would belong to a date that became a timestamp.
      const kind = parsed.kind === 'timestamp' ? 'micros' : 'instant';
      return bytes.length === 8 && /^timestamp(tz)?$/.test(type) ? { kind, at: bytes.readBigInt64LE() } : null;
    }
    case 'float':
    case 'double':
      return floatingOf(bytes);
    case 'decimal':
      return bytes.length === 0 ? null : { kind: 'number', unscaled: unscaledOf(bytes), scale: parsed.scale };
    case 'string':
      return { kind: 'text', bytes };
    default:
      return null;
  }
}

function withInteger(bytes: Buffer, make: (value: bigint) => Comparable): Comparable | null {
  if (bytes.length === 4) return make(BigInt(bytes.readInt32LE()));
  return bytes.length === 8 ? make(bytes.readBigInt64LE()) : null;
}

function floatingOf(bytes: Buffer): Comparable | null {
  if (bytes.length !== 4 && bytes.length !== 8) return null;
  const value = bytes.length === 4 ? bytes.readFloatLE() : bytes.readDoubleLE();
  return Number.isNaN(value) ? null : { kind: 'floating', value };
}

/** Negative, zero or positive; null if the two can't be compared. */
export function compare(a: Comparable, b: Comparable): number | null {
  if (a.kind === 'number' && b.kind === 'number') {
    const scale = Math.max(a.scale, b.scale);
    return order(a.unscaled * 10n ** BigInt(scale - a.scale), b.unscaled * 10n ** BigInt(scale - b.scale));
  }
  if (a.kind === 'floating' && b.kind === 'floating') return order(a.value, b.value);
  if (a.kind === 'text' && b.kind === 'text') return Buffer.compare(a.bytes, b.bytes);
  if (!('at' in a) || !('at' in b) || (a.kind === 'instant') !== (b.kind === 'instant')) return null;
  return order(microsOf(a), microsOf(b));
}

const DAY_MICROS = 86_400_000_000n;
const microsOf = ({ kind, at }: Extract<Comparable, { at: bigint }>): bigint =>
  kind === 'days' ? at * DAY_MICROS : at;
const order = <T extends number | bigint>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);
