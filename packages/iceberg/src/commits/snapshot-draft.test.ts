import { StorageError } from '../errors/storage-error.ts';
import type { FileStore } from '../files/file-store.ts';
import { memoryStore, ROOT } from '../testing/memory-store.ts';
import { TableFixture } from '../testing/table-fixture.ts';
import { draftSnapshot, removeFiles, startWriting } from './snapshot-draft.ts';

test('a draft ends with all its files written, and leaves none when one cannot be', async () => {
  const f = await TableFixture.create([{ name: 'id', type: 'long', nullable: true, description: null }]);
  const { store, ids } = f;
  const before = await f.locations();
  const good = `${ROOT}/t1/metadata/m.avro`;
  const draft = (...locations: string[]) =>
    draftSnapshot({ store, ids, metadata: f.state.metadata }, async (d) => {
      for (const location of locations) startWriting(d, location, Buffer.from('rows'));
      return d.sequence;
    });
  await expect(draft('file:///elsewhere/m.avro', good)).rejects.toThrow('not below');
  expect(await f.locations()).toEqual(before);
  expect(await draft(good)).toBe(1);
  expect(await f.locations()).toEqual([...before, good].sort());
});

test("files that an unavailable storage can't delete are left to the sweep, and fail nothing else", async () => {
  const refusing = (error: Error): FileStore => ({ ...memoryStore(), remove: () => Promise.reject(error) });
  await removeFiles(refusing(new StorageError('unavailable', 'away')), ['file:///a']);
  const unexpected = new TypeError('a fault of the service');
  await expect(removeFiles(refusing(unexpected), ['file:///a'])).rejects.toBe(unexpected);
});
