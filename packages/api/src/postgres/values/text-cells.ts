import { arrayElementText } from './array-text.ts';
import type { ByteWriter } from './byte-writer.ts';
import { writeUnsigned } from './digits.ts';
import { writeDouble, writeFloat } from './float-text.ts';
import { writeDate, writeTime, writeTimestamp } from './time-text.ts';
import { isCatalogVector } from './types.ts';
import { hugeAt, isNull, longAt, type Vector } from './vector.ts';

/** Writes the value at a row, which isn't null. */
export type CellWriter = (out: ByteWriter, row: number) => void;

const [TRUE, FALSE, MINUS, POINT] = [116, 102, 45, 46];
const HEX = Buffer.from('0123456789abcdef');

/** Writes values as PostgreSQL's output functions do (DateStyle ISO, time zone UTC, bytea_output hex). */
export function textCells(vector: Vector): CellWriter {
  switch (vector.kind) {
    case 'boolean': {
      const { bits } = vector;
      return (out, row) => out.byte((bits[row >> 3]! & (1 << (row & 7))) === 0 ? FALSE : TRUE);
    }
    case 'int': {
      const { values } = vector;
      return (out, row) => writeInteger(out, values[row]!);
    }
    case 'long': {
      const { limbs } = vector;
      return (out, row) => writeLong(out, limbs, row);
    }
    case 'float': {
      const { values } = vector;
      return (out, row) => writeFloat(out, values[row]!);
    }
    case 'double': {
      const { values } = vector;
      return (out, row) => writeDouble(out, values[row]!);
    }
    case 'decimal': {
      const { limbs, scale } = vector;
      return (out, row) => writeDecimal(out, limbs, row, scale);
    }
    case 'list':
      return arrayCells(vector);
    default:
      return timeCells(vector) ?? byteCells(vector);
  }
}

function timeCells(vector: Vector): CellWriter | null {
  switch (vector.kind) {
    case 'date': {
      const { values } = vector;
      return (out, row) => writeDate(out, values[row]!);
    }
    case 'time': {
      const { limbs } = vector;
      return (out, row) => writeTime(out, limbs, row);
    }
    case 'timestamp':
    case 'timestamptz': {
      const { limbs, kind } = vector;
      const hasZone = kind === 'timestamptz';
      return (out, row) => writeTimestamp(out, limbs, row, hasZone);
    }
    default:
      return null;
  }
}

function byteCells(vector: Vector): CellWriter {
  if (vector.kind === 'uuid') {
    const { bytes } = vector;
    return (out, row) => writeUuid(out, bytes, row * 16);
  }
  const { kind, bytes, offsets } = vector as Extract<Vector, { kind: 'string' | 'binary' | 'json' }>;
  if (kind === 'binary') return (out, row) => writeHex(out, bytes, offsets[row]!, offsets[row + 1]!);
  return (out, row) => out.copy(bytes, offsets[row]!, offsets[row + 1]!);
}

function writeInteger(out: ByteWriter, value: number): void {
  out.reserve(20);
  if (value < 0) out.bytes[out.at++] = MINUS;
  writeUnsigned(out, Math.abs(value));
}

function writeLong(out: ByteWriter, limbs: Int32Array, row: number): void {
  const value = limbs[2 * row + 1]! * 0x1_0000_0000 + (limbs[2 * row]! >>> 0);
  if (Number.isSafeInteger(value)) writeInteger(out, value);
  else out.ascii(longAt(limbs, row).toString());
}

function writeDecimal(out: ByteWriter, limbs: Int32Array, row: number, scale: number): void {
  const high = limbs[4 * row + 1]!;
  const isLong = limbs[4 * row + 2] === high >> 31 && limbs[4 * row + 3] === high >> 31;
  const value = high * 0x1_0000_0000 + (limbs[4 * row]! >>> 0);
  if (!isLong || !Number.isSafeInteger(value) || scale > 15) {
    writeHuge(out, hugeAt(limbs, row), scale);
    return;
  }
  out.reserve(24);
  if (value < 0) out.bytes[out.at++] = MINUS;
  const size = Math.abs(value);
  const unit = UNITS[scale]!;
  const whole = scale === 0 ? size : Math.floor(size / unit);
  writeUnsigned(out, whole);
  if (scale === 0) return;
  out.bytes[out.at++] = POINT;
  writeUnsigned(out, size - whole * unit, scale);
}

const UNITS = Array.from({ length: 16 }, (_, i) => 10 ** i);

function writeHuge(out: ByteWriter, value: bigint, scale: number): void {
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  out.ascii(`${value < 0n ? '-' : ''}${whole}${scale === 0 ? '' : '.'}${digits.slice(digits.length - scale)}`);
}

function writeUuid(out: ByteWriter, source: Uint8Array, start: number): void {
  out.reserve(36);
  const { bytes } = out;
  let { at } = out;
  for (let i = 0; i < 16; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) bytes[at++] = MINUS;
    const byte = source[start + i]!;
    bytes[at++] = HEX[byte >> 4]!;
    bytes[at++] = HEX[byte & 15]!;
  }
  out.at = at;
}

function writeHex(out: ByteWriter, source: Uint8Array, start: number, end: number): void {
  out.ascii(String.raw`\x`);
  out.reserve(2 * (end - start));
  const { bytes } = out;
  let { at } = out;
  for (let i = start; i < end; i++) {
    const byte = source[i]!;
    bytes[at++] = HEX[byte >> 4]!;
    bytes[at++] = HEX[byte & 15]!;
  }
  out.at = at;
}

function arrayCells({ offsets, element, type }: Extract<Vector, { kind: 'list' }>): CellWriter {
  const write = textCells(element);
  if (isCatalogVector(type)) {
    return (out, row) => {
      for (let i = offsets[row]!; i < offsets[row + 1]!; i++) {
        if (i > offsets[row]!) out.ascii(' ');
        write(out, i);
      }
    };
  }
  return (out, row) => {
    const [start, end] = [offsets[row]!, offsets[row + 1]!];
    out.ascii('{');
    for (let i = start; i < end; i++) {
      if (i > start) out.ascii(',');
      if (isNull(element, i)) out.ascii('NULL');
      else arrayElementText(out, () => write(out, i));
    }
    out.ascii('}');
  };
}
