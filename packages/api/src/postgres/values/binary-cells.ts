import type { ByteWriter } from './byte-writer.ts';
import { writeNumeric, writeSafeNumeric } from './numeric-binary.ts';
import type { CellWriter } from './text-cells.ts';
import { DAY_MICROS, INFINITE_DAYS, infinityOf } from './time-text.ts';
import { INT2_OID, isCatalogVector, OID_OID } from './types.ts';
import { PgValueError } from './value-error.ts';
import { hugeAt, isNull, longAt, type Vector } from './vector.ts';

/** 2000-01-01, from which PostgreSQL counts. */
export const EPOCH_DAYS = 10_957;
export const EPOCH_MICROS = BigInt(EPOCH_DAYS) * BigInt(DAY_MICROS);
/** PostgreSQL's infinite dates and times. */
export const MAX_INT64 = 0x7fff_ffff_ffff_ffffn;
export const MIN_INT64 = -0x8000_0000_0000_0000n;
/** 2^32 */
const LIMB = 0x1_0000_0000;
const EPOCH_SAFE = EPOCH_DAYS * DAY_MICROS;
const MAX_INT32 = 0x7fff_ffff;
const MIN_INT32 = -0x8000_0000;

/** Writes values as PostgreSQL's send functions do. */
export function binaryCells(vector: Vector): CellWriter {
  switch (vector.kind) {
    case 'boolean': {
      const { bits } = vector;
      return (out, row) => out.byte((bits[row >> 3]! >> (row & 7)) & 1);
    }
    case 'int': {
      const { values } = vector;
      return (out, row) => out.int32(values[row]!);
    }
    case 'float': {
      const { values } = vector;
      return (out, row) => {
        out.reserve(4);
        out.at = out.bytes.writeFloatBE(values[row]!, out.at);
      };
    }
    case 'double': {
      const { values } = vector;
      return (out, row) => {
        out.reserve(8);
        out.at = out.bytes.writeDoubleBE(values[row]!, out.at);
      };
    }
    case 'long':
    case 'time': {
      const { limbs } = vector;
      return (out, row) => {
        out.int32(limbs[2 * row + 1]!);
        out.int32(limbs[2 * row]!);
      };
    }
    case 'date': {
      const { values } = vector;
      return (out, row) => out.int32(daysSince2000(values[row]!));
    }
    case 'timestamp':
    case 'timestamptz': {
      const { limbs } = vector;
      return (out, row) => writeMicros(out, limbs, row);
    }
    case 'decimal': {
      const { limbs, scale } = vector;
      return (out, row) => writeDecimal(out, limbs, row, scale);
    }
    case 'list':
      return arrayCells(vector);
    case 'uuid': {
      const { bytes } = vector;
      return (out, row) => out.copy(bytes, row * 16, row * 16 + 16);
    }
    default: {
      const { bytes, offsets } = vector;
      return (out, row) => out.copy(bytes, offsets[row]!, offsets[row + 1]!);
    }
  }
}

function daysSince2000(days: number): number {
  if (days === INFINITE_DAYS) return MAX_INT32;
  return days === -INFINITE_DAYS ? MIN_INT32 : days - EPOCH_DAYS;
}

function writeMicros(out: ByteWriter, limbs: Int32Array, row: number): void {
  out.reserve(8);
  const high = limbs[2 * row + 1]!;
  const micros = high * LIMB + (limbs[2 * row]! >>> 0);
  const safe = micros - EPOCH_SAFE;
  if (Number.isSafeInteger(micros) && Number.isSafeInteger(safe)) {
    out.int32(Math.floor(safe / LIMB));
    out.int32(safe | 0);
    return;
  }
  const infinity = infinityOf(limbs, row);
  const value = infinity === 0 ? longAt(limbs, row) - EPOCH_MICROS : infinity > 0 ? MAX_INT64 : MIN_INT64;
  if (value < MIN_INT64) throw new PgValueError('22008', 'A timestamp is too early for the binary form.');
  out.at = out.bytes.writeBigInt64BE(value, out.at);
}

function writeDecimal(out: ByteWriter, limbs: Int32Array, row: number, scale: number): void {
  const high = limbs[4 * row + 1]!;
  const safe = high * LIMB + (limbs[4 * row]! >>> 0);
  const isLong = limbs[4 * row + 2] === high >> 31 && limbs[4 * row + 3] === high >> 31;
  // Three more digits must be exact too.
  if (isLong && Math.abs(safe) < 2 ** 43 && scale <= 8) writeSafeNumeric(out, safe, scale);
  else writeNumeric(out, hugeAt(limbs, row), scale);
}

/** The dimensions, whether there are nulls, the element type, and each element with its length. An empty array has no dimension. */
function arrayCells({ offsets, element, type }: Extract<Vector, { kind: 'list' }>): CellWriter {
  const { oid } = type.element!;
  const write = oid === OID_OID ? oidCells(element) : oid === INT2_OID ? shortCells(element) : binaryCells(element);
  const isVector = isCatalogVector(type);
  return (out, row) => {
    const [start, end] = [offsets[row]!, offsets[row + 1]!];
    let hasNulls = false;
    for (let i = start; i < end; i++) hasNulls ||= isNull(element, i);
    const hasDimension = end > start || isVector;
    out.int32(hasDimension ? 1 : 0);
    out.int32(hasNulls ? 1 : 0);
    out.int32(oid);
    if (!hasDimension) return;
    out.int32(end - start);
    out.int32(isVector ? 0 : 1);
    for (let i = start; i < end; i++) writeCell(out, element, write, i);
  };
}

/** OIDs are the lower limbs of the engine's integers. */
function oidCells(vector: Vector): CellWriter {
  if (vector.kind !== 'long') throw new Error(`a list of OIDs has elements of the kind ${vector.kind}`);
  const { limbs } = vector;
  return (out, row) => out.int32(limbs[2 * row]!);
}

/** Integers of the engine that PostgreSQL has in two bytes. */
function shortCells(vector: Vector): CellWriter {
  if (vector.kind !== 'int') throw new Error(`a list of short integers has elements of the kind ${vector.kind}`);
  const { values } = vector;
  return (out, row) => out.int16(values[row]!);
}

/** Writes a value with its length before it, -1 for null. */
export function writeCell(out: ByteWriter, vector: Vector, write: CellWriter, row: number): void {
  if (isNull(vector, row)) {
    out.int32(-1);
    return;
  }
  out.reserve(4);
  const start = out.at;
  out.at = start + 4;
  write(out, row);
  out.setInt32(start, out.at - start - 4);
}
