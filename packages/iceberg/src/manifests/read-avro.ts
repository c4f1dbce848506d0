import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { UnsupportedTableError } from '../errors/table-errors.ts';
import { maxUnpacked } from '../files/read-limited.ts';
import { AvroBytes, truncatedFileError } from './avro-bytes.ts';
import { avroDecoder } from './avro-decoder.ts';
import type { Shape } from './avro-shapes.ts';
import { type AvroSchema, MAGIC } from './write-avro.ts';

const inflate = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflateRaw);

/** Maximum bytes of a file, and of all its blocks when they are unpacked. */
export const MAX_AVRO_BYTES = 256 * 1024 * 1024;
/** Maximum items of lists in a file, with a row as ten: each takes some fifty bytes of memory, and a row more. */
export const MAX_ITEMS = 20_000_000;
export const ROW_ITEMS = 10;
/** Maximum characters of a schema. */
const MAX_SCHEMA_BYTES = 2 * 1024 * 1024;

type Decode = ReturnType<typeof avroDecoder>;
type PreparedSchema = { readonly schema: AvroSchema; readonly decode: Decode };

/** Cached readers by shape and schema: most files of a table have the same schema. */
const prepared = new WeakMap<Shape, Map<string, PreparedSchema>>();
const MAX_PREPARED = 32;
/** Maximum characters of a schema whose reader is cached. */
const MAX_CACHED_SCHEMA = 50_000;

export type AvroFile = {
  /** In the form of the shape. */
  readonly rows: readonly unknown[];
  /** The writer's schema with all its attributes. */
  readonly schema: AvroSchema;
  readonly metadata: Readonly<Record<string, string>>;
};

/**
 * Reads an untrusted Avro container file.
 *
 * @param what the kind of file, for messages
 * @throws UnsupportedTableError for every error in the file
 */
export async function readAvro(file: Buffer, shape: Shape, what: string): Promise<AvroFile> {
  try {
    return await contentsOf(file, shape, what);
  } catch (error) {
    if (error instanceof UnsupportedTableError) throw error;
    throw new UnsupportedTableError(`A ${what} of the table is damaged: ${(error as Error).message.slice(0, 200)}.`);
  }
}

async function contentsOf(file: Buffer, shape: Shape, what: string): Promise<AvroFile> {
  const bytes = new AvroBytes(file);
  if (!bytes.take(Math.min(4, bytes.left)).equals(MAGIC))
    throw new UnsupportedTableError(`A ${what} of the table is not an Avro file.`);
  const metadata = readHeader(bytes);
  const codec = metadata['avro.codec'] ?? 'null';
  if (codec !== 'null' && codec !== 'deflate') {
    throw new UnsupportedTableError(
      `Manifests compressed with "${codec.slice(0, 60)}" can't be read. Write them with deflate (gzip).`,
    );
  }
  const { schema, decode } = readerOf(metadata['avro.schema'] ?? 'null', shape, what);
  const sync = bytes.take(16);
  const rows: unknown[] = [];
  const maxBytes = maxUnpacked(file.length, MAX_AVRO_BYTES);
  const budget = { items: MAX_ITEMS };
  let total = 0;
  while (bytes.left > 0) {
    const count = bytes.long();
    const raw = bytes.take(bytes.size());
    const body = codec === 'null' ? raw : await unpacked(raw, maxBytes - total, what);
    total += body.length;
    if (count < 0n || count > BigInt(body.length)) throw truncatedFileError();
    const block = new AvroBytes(body, budget);
    block.spend(Number(count) * ROW_ITEMS);
    for (let i = 0n; i < count; i++) rows.push(decode(block));
    if (block.left > 0 || !bytes.take(16).equals(sync)) throw truncatedFileError();
  }
  return { rows, schema, metadata };
}

/** @throws UnsupportedTableError if a block unpacks to more than the rest of what its file may have */
async function unpacked(block: Buffer, maxBytes: number, what: string): Promise<Buffer> {
  try {
    return await inflate(block, { maxOutputLength: Math.max(1, maxBytes) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw error;
    throw new UnsupportedTableError(`A ${what} of the table unpacks to too many bytes: it isn't a real ${what}.`);
  }
}

function readerOf(text: string, shape: Shape, what: string): PreparedSchema {
  if (text.length > MAX_SCHEMA_BYTES)
    throw new UnsupportedTableError(`A ${what} of the table has a schema of more than ${MAX_SCHEMA_BYTES} characters.`);
  const known = prepared.get(shape) ?? new Map<string, PreparedSchema>();
  prepared.set(shape, known);
  const cached = known.get(text);
  if (cached !== undefined) return cached;
  const schema = JSON.parse(text) as AvroSchema;
  const entry = { schema, decode: avroDecoder(schema, shape, what) };
  if (text.length > MAX_CACHED_SCHEMA) return entry;
  known.set(text, entry);
  if (known.size > MAX_PREPARED) known.delete(known.keys().next().value!);
  return entry;
}

function readHeader(bytes: AvroBytes): Record<string, string> {
  const metadata: Record<string, string> = {};
  for (let count = bytes.block(); count > 0; count = bytes.block()) {
    for (; count > 0; count--) {
      const key = bytes.take(bytes.size()).toString();
      Object.defineProperty(metadata, key, {
        value: bytes.take(bytes.size()).toString(),
        enumerable: true,
        configurable: true,
      });
    }
  }
  return metadata;
}
