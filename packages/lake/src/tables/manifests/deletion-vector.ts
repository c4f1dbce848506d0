import zlib from 'node:zlib';

const MAGIC = Buffer.from('d1d33964', 'hex');
const COOKIE = 12346;
const COOKIE_WITH_RUNS = 12347;
/** Bitmaps with runs have offsets from so many containers on. */
const OFFSETS_FROM = 4;
const ARRAY_MAX = 4096;

const cutOff = () => new Error('A deletion vector is damaged.');

class Reader {
  at = 0;
  private readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  take(length: number): Buffer {
    if (length < 0 || this.at + length > this.bytes.length) throw cutOff();
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  u16 = (): number => this.take(2).readUInt16LE();
  u32 = (): number => this.take(4).readUInt32LE();
}

/**
 * The row positions that a blob of the type `deletion-vector-v1` names (Puffin specification): a 64 bit roaring bitmap in
 * its portable form, with length, magic and checksum around it.
 *
 * @throws Error for a damaged one
 */
export function readDeletionVector(blob: Buffer): bigint[] {
  if (blob.length < 12) throw cutOff();
  const length = blob.readUInt32BE(0);
  if (length + 8 !== blob.length) throw cutOff();
  const body = blob.subarray(4, 4 + length);
  if (!body.subarray(0, 4).equals(MAGIC) || zlib.crc32(body) !== blob.readUInt32BE(4 + length)) throw cutOff();
  const reader = new Reader(body.subarray(4));
  const positions: bigint[] = [];
  const bitmaps = reader.take(8).readBigUInt64LE();
  for (let i = 0n; i < bitmaps; i++) {
    const high = BigInt(reader.u32()) << 32n;
    for (const low of readBitmap(reader)) positions.push(high | BigInt(low));
  }
  return positions;
}

function* readBitmap(reader: Reader): Generator<number> {
  const cookie = reader.u32();
  const withRuns = (cookie & 0xffff) === COOKIE_WITH_RUNS;
  if (!withRuns && cookie !== COOKIE) throw cutOff();
  const count = withRuns ? (cookie >>> 16) + 1 : reader.u32();
  if (count > 65_536) throw cutOff();
  const runs = withRuns ? reader.take(Math.ceil(count / 8)) : null;
  const heads = Array.from({ length: count }, () => ({ key: reader.u16(), cardinality: reader.u16() + 1 }));
  if (!withRuns || count >= OFFSETS_FROM) reader.take(4 * count);
  for (const [i, { key, cardinality }] of heads.entries()) {
    const isRun = runs !== null && (runs[i >> 3]! & (1 << (i & 7))) !== 0;
    const base = key * 65_536;
    for (const low of isRun ? readRuns(reader) : readContainer(reader, cardinality)) yield base + low;
  }
}

function* readRuns(reader: Reader): Generator<number> {
  for (let left = reader.u16(); left > 0; left--) {
    const start = reader.u16();
    const last = start + reader.u16();
    if (last > 65_535) throw cutOff();
    for (let low = start; low <= last; low++) yield low;
  }
}

function* readContainer(reader: Reader, cardinality: number): Generator<number> {
  if (cardinality <= ARRAY_MAX) {
    for (let i = 0; i < cardinality; i++) yield reader.u16();
    return;
  }
  for (const [i, byte] of reader.take(8192).entries()) {
    for (let bit = 0; bit < 8; bit++) if (byte & (1 << bit)) yield i * 8 + bit;
  }
}
