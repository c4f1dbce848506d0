import zlib from 'node:zlib';

const MAGIC = Buffer.from('d1d33964', 'hex');
const COOKIE = 12346;
const COOKIE_WITH_RUNS = 12347;
/** Bitmaps with runs have offsets if they have at least this many containers. */
const OFFSETS_FROM = 4;
const ARRAY_MAX = 4096;
/** Number of positions in one bitmap. */
const BITMAP = 2 ** 32;
/** Length, magic, number of bitmaps, checksum. */
const MIN_BYTES = 20;

/** Maximum bytes of a vector: enough for one bit for each of half a billion rows. */
export const MAX_VECTOR_BYTES = 64 * 1024 * 1024;

/** What is wrong with a deletion vector, as the end of a sentence. It contains no row numbers, which may be hidden. */
export class DeletionVectorError extends Error {}

const invalid = (problem: string) => new DeletionVectorError(problem);
const truncated = () => invalid('it is truncated');

/** What the manifests record about a vector and its data file. */
export type VectorBounds = {
  /** The number of rows in the data file. */
  readonly rows: number;
  /** The number of rows that the vector deletes. */
  readonly deleted: number;
};

class Reader {
  at = 0;
  private readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  take(length: number): Buffer {
    if (this.at + length > this.bytes.length) throw truncated();
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  u16 = (): number => this.take(2).readUInt16LE();
  u32 = (): number => this.take(4).readUInt32LE();
}

/**
 * The row positions in a blob of the type `deletion-vector-v1` (Puffin specification): a 64-bit roaring bitmap in its
 * portable form, wrapped in length, magic and checksum. A few bytes can name billions of rows, so positions are yielded
 * one by one in ascending order, and the blob's claims are checked against the manifests before anything is allocated.
 *
 * @throws DeletionVectorError if it is damaged or doesn't match its data file, possibly after some positions
 */
export function* readDeletionVector(blob: Buffer, { rows, deleted }: VectorBounds): Generator<number> {
  const reader = new Reader(bodyOf(blob));
  const bitmaps = reader.take(8).readBigUInt64LE();
  if (bitmaps > Math.ceil(rows / BITMAP)) throw invalid('it has more bitmaps than its data file needs');
  let found = 0;
  let last = -1;
  for (let i = 0; i < Number(bitmaps); i++) {
    const base = reader.u32() * BITMAP;
    for (const low of readBitmap(reader, deleted - found)) {
      const position = base + low;
      if (position >= rows) throw invalid('it refers to a row beyond the end of its data file');
      if (position <= last) throw invalid('its rows are out of order');
      last = position;
      found += 1;
      yield position;
    }
  }
  if (found !== deleted) throw invalid('it has fewer rows than its manifest states');
}

/** The bytes between the length and the checksum, without the magic number. */
function bodyOf(blob: Buffer): Buffer {
  if (blob.length > MAX_VECTOR_BYTES) throw invalid(`it has more than ${MAX_VECTOR_BYTES} bytes`);
  if (blob.length < MIN_BYTES || blob.readUInt32BE(0) + 8 !== blob.length) throw truncated();
  const body = blob.subarray(4, -4);
  if (!body.subarray(0, 4).equals(MAGIC)) throw invalid('its type is not deletion-vector-v1');
  if (zlib.crc32(body) !== blob.readUInt32BE(blob.length - 4)) throw invalid('its checksum is wrong');
  return body.subarray(4);
}

/** @param max the maximum number of positions */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: follows the layout of the file format
function* readBitmap(reader: Reader, max: number): Generator<number> {
  const cookie = reader.u32();
  const withRuns = (cookie & 0xffff) === COOKIE_WITH_RUNS;
  if (!withRuns && cookie !== COOKIE) throw invalid("it doesn't contain roaring bitmaps");
  const count = withRuns ? (cookie >>> 16) + 1 : reader.u32();
  if (count > 65_536) throw invalid('a bitmap has more than 65536 containers');
  const runs = withRuns ? reader.take(Math.ceil(count / 8)) : null;
  const heads = reader.take(4 * count);
  let claimed = 0;
  for (let i = 0; i < count; i++) claimed += heads.readUInt16LE(4 * i + 2) + 1;
  if (claimed > max) throw invalid('it has more rows than its manifest states');
  if (!withRuns || count >= OFFSETS_FROM) reader.take(4 * count);
  for (let i = 0; i < count; i++) {
    const isRun = runs !== null && (runs[i >> 3]! & (1 << (i & 7))) !== 0;
    const base = heads.readUInt16LE(4 * i) * 65_536;
    const cardinality = heads.readUInt16LE(4 * i + 2) + 1;
    let remaining = cardinality;
    for (const low of isRun ? readRuns(reader) : readContainer(reader, cardinality)) {
      if (remaining-- === 0) throw invalid('a container has more rows than it states');
      yield base + low;
    }
    if (remaining > 0) throw invalid('a container has fewer rows than it states');
  }
}

function* readRuns(reader: Reader): Generator<number> {
  for (let remaining = reader.u16(); remaining > 0; remaining--) {
    const start = reader.u16();
    const last = start + reader.u16();
    if (last > 65_535) throw invalid('a run extends beyond its container');
    for (let low = start; low <= last; low++) yield low;
  }
}

function* readContainer(reader: Reader, cardinality: number): Generator<number> {
  if (cardinality <= ARRAY_MAX) {
    const values = reader.take(2 * cardinality);
    for (let i = 0; i < cardinality; i++) yield values.readUInt16LE(2 * i);
    return;
  }
  for (const [i, byte] of reader.take(8192).entries()) {
    for (let bit = 0; bit < 8; bit++) if (byte & (1 << bit)) yield i * 8 + bit;
  }
}
