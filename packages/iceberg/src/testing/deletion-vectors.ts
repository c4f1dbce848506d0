import zlib from 'node:zlib';

/** A container of 65,536 positions; `claimed` is the number of positions in its header. */
export type Container = {
  readonly key: number;
  readonly claimed: number;
  readonly body:
    | { readonly kind: 'array'; readonly values: readonly number[] }
    | { readonly kind: 'bits'; readonly bytes: Buffer }
    | { readonly kind: 'runs'; readonly runs: readonly (readonly [start: number, more: number])[] };
};

export type Bitmap = { readonly key: number; readonly containers: readonly Container[] };

/** The parts of a vector besides its containers, if they differ from what belongs there. */
export type VectorHeader = {
  readonly length?: number;
  readonly magic?: string;
  readonly bitmaps?: bigint;
  readonly cookie?: number;
  readonly containers?: number;
  readonly checksum?: number;
};

const u16 = (value: number): Buffer => Buffer.from([value & 0xff, (value >>> 8) & 0xff]);

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** A blob of the type `deletion-vector-v1`, as in the Puffin specification, with the given changes. */
export function vectorBlob(bitmaps: readonly Bitmap[], header: VectorHeader = {}): Buffer {
  const count = Buffer.alloc(8);
  count.writeBigUInt64LE(header.bitmaps ?? BigInt(bitmaps.length));
  const magic = Buffer.from(header.magic ?? 'd1d33964', 'hex');
  const body = Buffer.concat([magic, count, ...bitmaps.map((bitmap) => bitmapBytes(bitmap, header))]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(header.length ?? body.length);
  frame.writeUInt32BE(header.checksum ?? zlib.crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** A vector that names these rows of a data file, which are fewer than 65,536 and in ascending order. */
export const vectorOf = (rows: readonly number[]): Buffer =>
  vectorBlob([{ key: 0, containers: [{ key: 0, claimed: rows.length, body: { kind: 'array', values: rows } }] }]);

function bitmapBytes({ key, containers }: Bitmap, header: VectorHeader): Buffer {
  const withRuns = containers.some(({ body }) => body.kind === 'runs');
  const count = header.containers ?? containers.length;
  const cookie = header.cookie ?? (withRuns ? (12347 | ((count - 1) << 16)) >>> 0 : 12346);
  const flags = Buffer.alloc(withRuns ? Math.ceil(containers.length / 8) : 0);
  for (const [i, { body }] of containers.entries()) if (body.kind === 'runs') flags[i >> 3]! |= 1 << (i & 7);
  const heads = containers.map((c) => Buffer.concat([u16(c.key), u16(c.claimed - 1)]));
  const bodies = containers.map(containerBytes);
  // Readers skip them: the containers follow each other.
  const offsets = Buffer.alloc(!withRuns || containers.length >= 4 ? 4 * containers.length : 0);
  const start = withRuns ? [u32(cookie), flags] : [u32(cookie), u32(count)];
  return Buffer.concat([u32(key), ...start, ...heads, offsets, ...bodies]);
}

function containerBytes({ body }: Container): Buffer {
  if (body.kind === 'array') return Buffer.concat(body.values.map(u16));
  if (body.kind === 'bits') return body.bytes;
  return Buffer.concat([u16(body.runs.length), ...body.runs.flatMap(([start, more]) => [u16(start), u16(more)])]);
}
