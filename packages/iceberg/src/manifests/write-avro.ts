import { promisify } from 'node:util';
import zlib from 'node:zlib';
import avro from 'avsc';

const deflate = promisify(zlib.deflateRaw);

export const MAGIC = Buffer.from('Obj\u0001');
const BLOCK_ROWS = 1000;

/** 64-bit longs as bigint: snapshot ids of other engines exceed the range of a number. */
const long = avro.types.LongType.__with({
  fromBuffer: (buffer: Buffer) => buffer.readBigInt64LE(),
  toBuffer: (value: bigint) => {
    const buffer = Buffer.alloc(8);
    buffer.writeBigInt64LE(value);
    return buffer;
  },
  fromJSON: BigInt,
  toJSON: String,
  isValid: (value: unknown) => typeof value === 'bigint',
  compare: (a: bigint, b: bigint) => (a === b ? 0 : a < b ? -1 : 1),
});

export type AvroSchema = Readonly<Record<string, unknown>>;

/** Cached types by schema text: creating one compiles code, which takes longer than the rows of most files. */
const types = new Map<string, avro.Type>();
const MAX_CACHED_TYPES = 32;
/** Maximum characters; schemas of other engines' files may have any length. */
const MAX_CACHED_SCHEMA = 50_000;

function typeOf(schema: AvroSchema, text: string): avro.Type {
  const type =
    types.get(text) ??
    avro.Type.forSchema(withoutLogicalTypes(schema) as avro.Schema, { registry: { long }, wrapUnions: false });
  if (text.length > MAX_CACHED_SCHEMA) return type;
  // In order of use: the most recently used entry comes last.
  types.delete(text);
  types.set(text, type);
  if (types.size > MAX_CACHED_TYPES) types.delete(types.keys().next().value!);
  return type;
}

const PRIMITIVES = new Set(['null', 'boolean', 'int', 'long', 'float', 'double', 'bytes', 'string']);

/** Treats `{"type": "long", "logicalType": …}` as `"long"`, so that it uses our own long type. */
function withoutLogicalTypes(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutLogicalTypes);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { logicalType: _, ...rest } = schema as Record<string, unknown>;
  if (typeof rest['type'] === 'string' && PRIMITIVES.has(rest['type'])) return rest['type'];
  const inner = ['type', 'items', 'values', 'fields'].filter((key) => key in rest);
  return { ...rest, ...Object.fromEntries(inner.map((key) => [key, fieldsOf(key, rest[key])])) };
}

function fieldsOf(key: string, value: unknown): unknown {
  if (key !== 'fields' || !Array.isArray(value)) return withoutLogicalTypes(value);
  return value.map((f: { readonly type: unknown }) => ({ ...f, type: withoutLogicalTypes(f.type) }));
}

function zigzag(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt(value) << 1n;
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    bytes.push(rest ? low | 0x80 : low);
  } while (rest);
  return Buffer.from(bytes);
}

const sized = (body: Buffer): Buffer => Buffer.concat([zigzag(body.length), body]);

/**
 * An Avro container file. The schema is written as given: a library's own writer drops the `field-id` attributes that
 * Iceberg readers need.
 *
 * @param sync sixteen random bytes
 */
export async function writeAvro(
  schema: AvroSchema,
  metadata: Readonly<Record<string, string>>,
  rows: readonly unknown[],
  sync: Uint8Array,
): Promise<Buffer> {
  const text = JSON.stringify(schema);
  const type = typeOf(schema, text);
  const header = { ...metadata, 'avro.schema': text, 'avro.codec': 'deflate' };
  const entries = Object.entries(header).flatMap(([k, v]) => [sized(Buffer.from(k)), sized(Buffer.from(v))]);
  const parts: Uint8Array[] = [MAGIC, zigzag(Object.keys(header).length), ...entries, zigzag(0), sync];
  for (let at = 0; at < rows.length; at += BLOCK_ROWS) {
    const block = rows.slice(at, at + BLOCK_ROWS);
    const body = (await deflate(Buffer.concat(block.map((row) => type.toBuffer(row))))) as Buffer;
    parts.push(zigzag(block.length), sized(body), sync);
  }
  return Buffer.concat(parts);
}
