import { crc32 } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

function chunksOf(png: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return chunks;
}

function encoded(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

function numbers(...values: readonly number[]): Buffer {
  const data = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) data.writeUInt32BE(value, 4 * index);
  return data;
}

/**
 * One animated picture of several PNG files with the same size and pixel format, repeated for good. Programs that know PNG only show the
 * first one.
 */
export function animatedPng(frames: readonly Buffer[], frameMs: number): Buffer {
  const [first] = frames;
  if (first === undefined) throw new Error('An animation needs a frame.');
  const header = chunksOf(first).find(({ type }) => type === 'IHDR')!.data;
  let sequence = 0;
  const parts = frames.flatMap((frame, index) => {
    const chunks = chunksOf(frame);
    if (!chunks[0]!.data.equals(header)) throw new Error(`Frame ${index} has another size or pixel format.`);
    const size = numbers(sequence++, header.readUInt32BE(0), header.readUInt32BE(4), 0, 0);
    const timing = Buffer.alloc(6);
    timing.writeUInt16BE(frameMs, 0);
    timing.writeUInt16BE(1000, 2);
    const control = encoded('fcTL', Buffer.concat([size, timing]));
    const pixels = chunks.flatMap(({ type, data }) => {
      if (type !== 'IDAT') return [];
      return index === 0 ? encoded('IDAT', data) : encoded('fdAT', Buffer.concat([numbers(sequence++), data]));
    });
    return [control, ...pixels];
  });
  const animation = encoded('acTL', numbers(frames.length, 0));
  return Buffer.concat([SIGNATURE, encoded('IHDR', header), animation, ...parts, encoded('IEND', Buffer.alloc(0))]);
}
