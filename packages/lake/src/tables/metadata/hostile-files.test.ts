import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { ObjectStore } from '../../storage/index.ts';
import { readAvro, writeAvro } from '../manifests/avro.ts';
import { readMetadataFile } from './metadata-cache.ts';

const SYNC = createHash('md5').update('sync').digest();

test('rows of no bytes, told to come any number of times, are refused', async () => {
  const one = await writeAvro(
    { type: 'record', name: 'r', fields: [{ name: 'a', type: 'int' }] },
    {},
    [{ a: 7 }],
    SYNC,
  );
  expect((await readAvro(one)).rows).toMatchObject([{ a: 7 }]);
  const none = await writeAvro(
    { type: 'record', name: 'r', fields: [{ name: 'a', type: 'null' }] },
    {},
    [{ a: null }],
    SYNC,
  );
  await expect(readAvro(none)).rejects.toThrow('its rows are empty');
});

test('a metadata file that unpacks to more than any table needs is refused', async () => {
  const packed = gzipSync(Buffer.alloc(600 * 1024 * 1024));
  const store = { root: 's3://b', read: async () => packed } as unknown as ObjectStore;
  await expect(readMetadataFile(store, 's3://b/t/metadata/v1.gz.metadata.json')).rejects.toThrow('cannot be unpacked');
});
