import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { CsvDialect, CsvOptions } from '@svc/core/writes';
import type { ObjectStore } from '../storage/index.ts';
import { markedEncoding, toUtf8 } from './decode-text.ts';
import { CutOffError, compressionOf, MAGIC_BYTES, uncompressed } from './decompress.ts';
import { inFile, type LoadFormat, type LocalFile } from './file-sources.ts';
import { malformed } from './load-errors.ts';

/** A file in storage: its parts, whose bytes follow each other. Or a local file. They are only read. */
export type StagedFile =
  | { readonly name?: string | null; readonly locations: readonly string[] }
  | { readonly name?: string | null; readonly path: string };

interface Reading {
  readonly format: LoadFormat;
  readonly csv: CsvOptions;
  /** A folder for files that have to be written again. */
  readonly dir: string;
  readonly signal?: AbortSignal | undefined;
}

export interface LocalFiles {
  readonly files: readonly LocalFile[];
  readonly encoding: CsvDialect['encoding'];
}

/** Each file as one local file, uncompressed and in UTF-8. A file that is all of this already isn't copied. */
export async function localFiles(
  store: ObjectStore,
  staged: readonly StagedFile[],
  reading: Reading,
): Promise<LocalFiles> {
  const files: LocalFile[] = [];
  let encoding: CsvDialect['encoding'] = reading.csv.encoding ?? 'utf-8';
  const named = staged.map(({ name = null }) => ({ name, path: '' }));
  for (const [i, file] of staged.entries()) {
    const parts = 'path' in file ? null : file.locations;
    const whole = 'path' in file ? file.path : parts?.length === 1 ? await store.localPath(parts[0]!) : null;
    const start = whole === null ? null : await startOf(whole);
    const pieces = () => (whole === null ? partsOf(store, parts!) : piecesOf(whole));
    const plain = await inFile(named, named[i]!, () => plainFile(pieces, start, reading, i));
    files.push({ name: named[i]!.name, path: plain.path ?? whole! });
    if (i === 0) encoding = plain.encoding;
  }
  return { files, encoding };
}

/** The path of a copy, unless the file starts as one that needs no copy. `start` is null for parts. */
async function plainFile(
  pieces: () => AsyncIterable<Buffer>,
  start: Buffer | null,
  reading: Reading,
  number: number,
): Promise<{ path: string | null; encoding: CsvDialect['encoding'] }> {
  const { format, csv, dir, signal } = reading;
  if (start !== null && compressionOf(start) === null) {
    const encoding = encodingOf(start, format, csv);
    if (encoding === 'utf-8' && !(format === 'ndjson' && isMarked(start))) return { path: null, encoding };
  }
  const target = path.join(dir, `rows-${number}`);
  const plain = plainText(pieces(), format, csv);
  await pipeline(cutOff(plain.pieces), createWriteStream(target, { flags: 'wx' }), signal ? { signal } : {});
  return { path: target, encoding: plain.encoding() };
}

async function* cutOff(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* pieces;
  } catch (error) {
    throw error instanceof CutOffError ? malformed(error.message) : error;
  }
}

function encodingOf(start: Buffer, format: LoadFormat, csv: CsvOptions): CsvDialect['encoding'] {
  if (format !== 'csv') return 'utf-8';
  return csv.encoding ?? (csv.detect ? markedEncoding(start) : null) ?? 'utf-8';
}

/** Uncompresses a file and converts it to UTF-8, if it needs that. @throws CutOffError if compressed data has no end */
export function plainText(pieces: AsyncIterable<Buffer>, format: LoadFormat, csv: CsvOptions) {
  let encoding: CsvDialect['encoding'] = 'utf-8';
  const read = async function* () {
    let peeked = await peek(pieces);
    const compression = compressionOf(peeked.start);
    if (compression !== null) peeked = await peek(uncompressed(peeked.pieces, compression));
    encoding = encodingOf(peeked.start, format, csv);
    if (encoding !== 'utf-8') yield* toUtf8(peeked.pieces, encoding);
    else if (format === 'ndjson') yield* blankMark(peeked);
    else yield* peeked.pieces;
  };
  return { pieces: read(), encoding: () => encoding };
}

const MARK = Buffer.from('\ufeff');
const isMarked = (start: Buffer): boolean => start.subarray(0, MARK.length).equals(MARK);

/** Replaces a byte order mark with spaces: the engine's JSON reader rejects it. */
async function* blankMark({ start, pieces }: Peeked): AsyncGenerator<Buffer> {
  if (!isMarked(start)) return yield* pieces;
  let skip = MARK.length;
  yield Buffer.alloc(skip, ' ');
  for await (const piece of pieces) {
    yield piece.subarray(skip);
    skip = Math.max(0, skip - piece.length);
  }
}

interface Peeked {
  start: Buffer;
  pieces: AsyncIterable<Buffer>;
}

/** The first bytes, and all pieces. */
async function peek(pieces: AsyncIterable<Buffer>): Promise<Peeked> {
  const iterator = pieces[Symbol.asyncIterator]();
  let start: Buffer = Buffer.alloc(0);
  while (start.length < MAGIC_BYTES) {
    const { value, done } = await iterator.next();
    if (done) break;
    start = start.length === 0 ? value : Buffer.concat([start, value]);
  }
  const all = async function* () {
    if (start.length > 0) yield start;
    yield* { [Symbol.asyncIterator]: () => iterator };
  };
  return { start, pieces: all() };
}

const piecesOf = (file: string): AsyncIterable<Buffer> => createReadStream(file, { highWaterMark: 1 << 20 });

async function* partsOf(store: ObjectStore, locations: readonly string[]): AsyncGenerator<Buffer> {
  for (const location of locations) yield* await store.readStream(location);
}

async function startOf(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAGIC_BYTES), 0, MAGIC_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
