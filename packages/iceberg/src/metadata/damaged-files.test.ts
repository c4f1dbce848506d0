import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FileStore } from '../files/file-store.ts';
import { BOOLEAN, list, record, required, type Shape } from '../manifests/avro-shapes.ts';
import { readAvro } from '../manifests/read-avro.ts';
import { writeAvro } from '../manifests/write-avro.ts';
import { readMetadataFile } from './metadata-cache.ts';

const SYNC = createHash('md5').update('sync').digest();

const ROW = record(required(1, 'a', { is: 'int', min: 0, max: 9 }));
const write = (type: unknown, value: unknown) =>
  writeAvro({ type: 'record', name: 'r', fields: [{ name: 'a', type }] }, {}, [{ a: value }], SYNC);
const read = async (file: Promise<Buffer>, shape: Shape = ROW) => (await readAvro(await file, shape, 'manifest')).rows;

test('a value must be of the type that the reader expects, whatever the file declares', async () => {
  expect(await read(write('int', 7))).toEqual([{ a: 7 }]);
  expect(await read(write('long', 7n))).toEqual([{ a: 7 }]);
  expect(await read(write(['null', 'int'], 7))).toEqual([{ a: 7 }]);
  for (const [type, value, problem] of [
    ['string', '7', '"a" must be an int, but the file declares string'],
    ['double', Number.NaN, 'declares double'],
    ['null', null, 'is a union of several types'],
    [['null', 'int'], null, '"a" is required, but null'],
    ['int', 10, '"a" must be from 0 to 9, but is 10'],
    ['long', -1n, 'must be from 0 to 9, but is -1'],
    ['long', 2n ** 62n, 'must be from 0 to 9'],
    [{ type: 'array', items: 'int' }, [7], 'declares array'],
  ] as const)
    await expect(read(write(type, value))).rejects.toThrow(problem);
});

test("counts and lengths don't exceed the file", async () => {
  const flags = record(required(1, 'a', list(BOOLEAN)));
  const file = await write({ type: 'array', items: 'boolean' }, [true, false]);
  expect(await read(Promise.resolve(file), flags)).toEqual([{ a: [true, false] }]);
  const optional = { type: 'array', items: ['null', 'boolean'] };
  expect(await read(write(optional, [true, false]), flags)).toEqual([{ a: [true, false] }]);
  await expect(read(write(optional, [true, null]), flags)).rejects.toThrow('"a.element" is required, but null');
  const huge = (items: unknown, count: string) => {
    const header = stored({ type: 'array', items });
    // One row; a block of that many items, and none of them there.
    const body = Buffer.from(count, 'hex');
    return Buffer.concat([header, Buffer.from([2, body.length * 2]), body, SYNC]);
  };
  const quadrillions = 'feffffffffffffff7f';
  await expect(read(Promise.resolve(huge('boolean', quadrillions)), flags)).rejects.toThrow('is truncated');
  const other = record(required(2, 'b', BOOLEAN));
  for (const items of ['null', 'boolean', { type: 'record', name: 'nothing', fields: [] }])
    await expect(read(Promise.resolve(huge(items, quadrillions)), other)).rejects.toThrow(/cut off|is required/);
});

test('types that contain themselves are refused', async () => {
  const inner = { name: 'b', type: ['null', 'r'] };
  const own = { type: 'record', name: 'r', fields: [{ name: 'a', type: 'int' }, inner] };
  const file = await writeAvro(own, {}, [{ a: 7, b: null }], SYNC);
  await expect(read(Promise.resolve(file))).rejects.toThrow('too many types, or nests them too deeply');
});

test('a metadata file that unpacks to more than any table needs is refused', async () => {
  const packed = gzipSync(Buffer.alloc(600 * 1024 * 1024));
  const store = { root: 's3://b', read: async () => packed } as unknown as FileStore;
  await expect(readMetadataFile(store, 's3://b/t/metadata/v1.gz.metadata.json')).rejects.toThrow(
    "can't be decompressed",
  );
});

/** The header of a file without rows, as far as its first sync marker. */
function stored(type: unknown): Buffer {
  const schema = JSON.stringify({ type: 'record', name: 'r', fields: [{ name: 'a', type }] });
  const sized = (text: string) => {
    const bytes = Buffer.from(text);
    const size = bytes.length * 2;
    return Buffer.concat([Buffer.from(size < 128 ? [size] : [(size & 0x7f) | 0x80, size >> 7]), bytes]);
  };
  const entries = [sized('avro.schema'), sized(schema)];
  return Buffer.concat([Buffer.from('Obj\u0001'), Buffer.from([2]), ...entries, Buffer.from([0]), SYNC]);
}
