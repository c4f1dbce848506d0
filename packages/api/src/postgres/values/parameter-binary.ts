import { EPOCH_DAYS, EPOCH_MICROS, MAX_INT64, MIN_INT64 } from './binary-cells.ts';
import { ByteWriter } from './byte-writer.ts';
import { numericText } from './numeric-binary.ts';
import { utf8 } from './parameter-text.ts';
import { writeDate, writeTime, writeTimestamp } from './time-text.ts';
import { PgValueError } from './value-error.ts';
import { setLimbs } from './vector.ts';

/** Reads a value in binary form and returns its text form. */
type BinaryReader = (bytes: Buffer) => string;

const READERS: ReadonlyMap<number, BinaryReader> = new Map<number, BinaryReader>([
  [16, fixed(1, (bytes) => (bytes[0] === 0 ? 'f' : 't'))],
  [21, fixed(2, (bytes) => String(bytes.readInt16BE()))],
  [23, fixed(4, (bytes) => String(bytes.readInt32BE()))],
  [26, fixed(4, (bytes) => String(bytes.readUInt32BE()))],
  [20, fixed(8, (bytes) => String(bytes.readBigInt64BE()))],
  [700, fixed(4, (bytes) => numberText(bytes.readFloatBE()))],
  [701, fixed(8, (bytes) => numberText(bytes.readDoubleBE()))],
  [1700, numericText],
  [1082, fixed(4, dateText)],
  [1083, fixed(8, (bytes) => timeText(bytes.readBigInt64BE(), writeTime))],
  [1114, fixed(8, (bytes) => momentText(bytes, false))],
  [1184, fixed(8, (bytes) => momentText(bytes, true))],
  [1186, fixed(16, intervalText)],
  [2950, fixed(16, (bytes) => bytes.toString('hex'))],
  [17, (bytes) => String.raw`\x${bytes.toString('hex')}`],
  [3802, jsonbText],
]);

/** The text form of a value in binary form. @throws PgValueError */
export function textOfBinary(oid: number, bytes: Buffer): string {
  return (READERS.get(oid) ?? utf8)(bytes);
}

function fixed(size: number, read: BinaryReader): BinaryReader {
  return (bytes) => {
    if (bytes.length !== size) {
      throw new PgValueError('22P03', `incorrect binary data format: ${bytes.length} bytes instead of ${size}`);
    }
    return read(bytes);
  };
}

const numberText = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));

function dateText(bytes: Buffer): string {
  const days = bytes.readInt32BE();
  if (days === 0x7fff_ffff) return 'infinity';
  if (days === -0x8000_0000) return '-infinity';
  const out = new ByteWriter(64);
  writeDate(out, days + EPOCH_DAYS);
  return out.written().toString('latin1');
}

function momentText(bytes: Buffer, hasZone: boolean): string {
  const micros = bytes.readBigInt64BE();
  if (micros === MAX_INT64) return 'infinity';
  if (micros === MIN_INT64) return '-infinity';
  return timeText(micros + EPOCH_MICROS, (out, limbs, row) => writeTimestamp(out, limbs, row, hasZone));
}

function timeText(micros: bigint, write: (out: ByteWriter, limbs: Int32Array, row: number) => void): string {
  const limbs = new Int32Array(2);
  setLimbs(limbs, 0, 2, micros);
  const out = new ByteWriter(64);
  write(out, limbs, 0);
  return out.written().toString('latin1');
}

function intervalText(bytes: Buffer): string {
  const [micros, days, months] = [bytes.readBigInt64BE(0), bytes.readInt32BE(8), bytes.readInt32BE(12)];
  return `${months} months ${days} days ${micros} microseconds`;
}

function jsonbText(bytes: Buffer): string {
  if (bytes[0] !== 1) throw new PgValueError('22P03', `unsupported jsonb version number ${bytes[0] ?? 0}`);
  return utf8(bytes.subarray(1));
}
