// Reads hostile files, one after the other, and reports what each reader says and the peak memory of this process.
import { createHash } from 'node:crypto';
import { deflateRawSync, gzipSync } from 'node:zlib';
import type { FileStore } from '../files/file-store.ts';
import { manifestEntrySchema, manifestListSchema } from '../manifests/manifest-schemas.ts';
import { MANIFEST_ENTRY, MANIFEST_FILE } from '../manifests/manifest-shapes.ts';
import { readAvro } from '../manifests/read-avro.ts';
import { readMetadataFile } from '../metadata/metadata-cache.ts';

const SYNC = createHash('md5').update('sync').digest();
const MB = 1024 * 1024;
const ENTRY_SCHEMA = manifestEntrySchema({ type: 'record', name: 'r102', fields: [] }, 2);
const LIST_SCHEMA = manifestListSchema(2);

function long(value: number): Buffer {
  const bytes: number[] = [];
  for (let left = BigInt(value) * 2n; ; left >>= 7n) {
    if (left < 128n) return Buffer.from([...bytes, Number(left)]);
    bytes.push(Number(left & 127n) | 128);
  }
}
const sized = (bytes: Buffer) => Buffer.concat([long(bytes.length), bytes]);

/** An Avro file with this schema; each block has a claimed number of rows, and is compressed if the codec says so. */
function avro(schema: unknown, codec: 'null' | 'deflate', blocks: readonly { rows: number; body: Buffer }[]): Buffer {
  const entries = { 'avro.schema': JSON.stringify(schema), 'avro.codec': codec };
  const pairs = Object.entries(entries).flatMap(([key, value]) => [sized(Buffer.from(key)), sized(Buffer.from(value))]);
  return Buffer.concat([
    Buffer.from('Obj\u0001'),
    long(2),
    ...pairs,
    long(0),
    SYNC,
    ...blocks.flatMap(({ rows, body }) => [long(rows), sized(codec === 'null' ? body : deflateRawSync(body)), SYNC]),
  ]);
}

const ENTRY = { type: 'record', name: 'manifest_entry', fields: [{ name: 'status', type: 'int', 'field-id': 0 }] };
const zeros = (megabytes: number) => Buffer.alloc(megabytes * MB);
const json = (text: string) => Buffer.from(text);
const store = (file: Buffer) => ({ root: 's3://b', read: async () => file }) as unknown as FileStore;
const metadata = (file: Buffer) => readMetadataFile(store(file), 's3://b/t/metadata/v1.metadata.json');
const manifest = (file: Buffer) => readAvro(file, MANIFEST_ENTRY, 'manifest');
const list = (file: Buffer) => readAvro(file, MANIFEST_FILE, 'manifest list');
const wide = {
  type: 'array',
  items: {
    type: 'record',
    name: 'k',
    fields: [
      { name: 'key', type: 'int' },
      { name: 'value', type: 'long' },
    ],
  },
};
const own = { ...ENTRY, fields: [...ENTRY.fields, { name: 'own', type: wide }] };

const CASES: Record<string, () => Promise<unknown>> = {
  'a metadata file that unpacks 1,000 times': () => metadata(gzipSync(zeros(280))),
  'metadata of millions of lists': () => metadata(json(`{"format-version":2,"x":[${'[],'.repeat(12 * MB)}0]}`)),
  'metadata nested a million levels deep': () => metadata(json('['.repeat(MB))),
  'metadata of one string': () => metadata(json(`{"format-version":2,"location":"${'x'.repeat(100 * MB)}"}`)),
  'metadata larger than the limit': () => metadata(zeros(300)),
  'a manifest that unpacks 1,000 times': () => manifest(avro(ENTRY_SCHEMA, 'deflate', [{ rows: 1, body: zeros(280) }])),
  'a manifest of blocks that unpack': () =>
    manifest(
      avro(
        ENTRY_SCHEMA,
        'deflate',
        Array.from({ length: 3 }, () => ({ rows: 1, body: zeros(15) })),
      ),
    ),
  'a manifest of millions of tiny rows': () => manifest(avro(ENTRY, 'null', [{ rows: 30 * MB, body: zeros(30) }])),
  'a manifest list of millions of tiny rows': () =>
    list(avro(LIST_SCHEMA, 'null', [{ rows: 30 * MB, body: zeros(30) }])),
  'a manifest of a list of millions': () =>
    manifest(avro(own, 'null', [{ rows: 1, body: Buffer.concat([long(0), long(50 * MB), zeros(100)]) }])),
  'a manifest with a schema of megabytes': () => manifest(avro('x'.repeat(10 * MB), 'null', [])),
};

const results: Record<string, string> = {};
for (const [name, read] of Object.entries(CASES)) {
  results[name] = await read().then(
    () => 'accepted',
    (error: Error) => `${error.name}: ${error.message}`,
  );
}
process.send!({ results, peakBytes: process.resourceUsage().maxRSS * 1024 });
process.disconnect();
