import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream';
import zlib from 'node:zlib';
import { Decompress } from 'fzstd';
import { malformed } from './load-errors.ts';

/** How a file is compressed, by its first bytes: text and Parquet never start with them. */
export type Compression = 'gzip' | 'zstd';

const MAGIC: readonly (readonly [Compression, Buffer])[] = [
  ['gzip', Buffer.from([0x1f, 0x8b])],
  ['zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd])],
];
/** Number of bytes that identify a compression or a byte order mark. */
export const MAGIC_BYTES = 4;

export function compressionOf(start: Buffer): Compression | null {
  return MAGIC.find(([, magic]) => start.subarray(0, magic.length).equals(magic))?.[0] ?? null;
}

/** A file that is cut off: its bytes so far have been yielded. */
export class CutOffError extends Error {
  override readonly name = 'CutOffError';
}

/** Uncompresses a file in bounded memory. @throws LoadRejectedError if it is damaged or cut off, or expands too much */
export async function* uncompressed(pieces: AsyncIterable<Buffer>, compression: Compression): AsyncGenerator<Buffer> {
  const sizes = new Sizes();
  const read = sizes.countRead(pieces);
  try {
    yield* sizes.countWritten(compression === 'gzip' ? gunzip(read) : unzstd(read));
  } catch (error) {
    if (isCutOff(error)) throw new CutOffError(`The file is compressed with ${compression}, but its end is missing.`);
    if (!isDamage(error)) throw error;
    throw malformed(`The file is compressed with ${compression}, but it is damaged.`);
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error ? (error as { code?: unknown }).code : undefined);
/** `UnexpectedEOF` of fzstd. */
const ZSTD_EOF = 5;
const isCutOff = (error: unknown): boolean => codeOf(error) === 'Z_BUF_ERROR' || codeOf(error) === ZSTD_EOF;
const isDamage = (error: unknown): boolean => {
  const code = codeOf(error);
  return typeof code === 'number' || (typeof code === 'string' && /^(?:Z|ZSTD)_/.test(code));
};

/** Node 22.15 and later uncompress zstd themselves, faster. */
const { createZstdDecompress } = zlib as { createZstdDecompress?: () => Transform };

function gunzip(pieces: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  return pipeline(pieces, zlib.createGunzip(), () => undefined);
}

function unzstd(pieces: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  if (createZstdDecompress === undefined) return unzstdHere(pieces);
  return pipeline(pieces, createZstdDecompress(), () => undefined);
}

/** Bytes that are uncompressed at once, because all that they expand to is in memory. */
const STEP = 16 * 1024;

async function* unzstdHere(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let out: Buffer[] = [];
  const stream = new Decompress((data) => out.push(Buffer.from(data.buffer, data.byteOffset, data.byteLength)));
  const drain = function* () {
    yield* out;
    out = [];
  };
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += STEP) {
      stream.push(piece.subarray(at, at + STEP));
      yield* drain();
    }
  }
  stream.push(new Uint8Array(0), true);
  yield* drain();
}

/** Expansion beyond what a file with rows has: gzip never exceeds it. */
const MAX_RATIO = 1100;
const FREE_BYTES = 64 * 1024 * 1024;

class Sizes {
  private read = 0;
  private written = 0;

  async *countRead(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      this.read += piece.length;
      yield piece;
    }
  }

  async *countWritten(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      this.written += piece.length;
      if (this.written > FREE_BYTES && this.written > MAX_RATIO * this.read)
        throw malformed(`The compressed file expands to more than ${MAX_RATIO} times its size.`);
      yield piece;
    }
  }
}
