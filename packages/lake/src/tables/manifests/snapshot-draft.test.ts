import { TableFixture } from '../testing/table-fixture.ts';
import { beginWriting, drafted } from './snapshot-draft.ts';

test('a draft ends with all its files written, and leaves none when one cannot be', async () => {
  const f = await TableFixture.create([{ name: 'id', type: 'long', nullable: true, description: null }]);
  const { store, ids } = f;
  const before = await f.locations();
  const good = `${store.root}/t1/metadata/m.avro`;
  const draft = (...locations: string[]) =>
    drafted({ store, ids, metadata: f.state.metadata }, async (d) => {
      for (const location of locations) beginWriting(d, location, Buffer.from('rows'));
      return d.sequence;
    });
  await expect(draft('file:///elsewhere/m.avro', good)).rejects.toThrow('not below the storage location');
  expect(await f.locations()).toEqual(before);
  expect(await draft(good)).toBe(1);
  expect(await f.locations()).toEqual([...before, good].sort());
  await f.close();
});
